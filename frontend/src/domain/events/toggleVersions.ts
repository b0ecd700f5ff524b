// Versions of a toggle in its events.
import type { Event, Toggle } from '@/api/generated/types';
import { getEventSubject, getToggleAction } from './eventType';
import { undoDiffs } from './undoDiffs';

/** Returns the version of the toggle in an event; undefined if the event does not contain the whole toggle. */
export function getToggleVersion({ data }: Pick<Event, 'data'>): Toggle | undefined {
  return isToggle(data) ? data : undefined;
}

function isToggle(value: unknown): value is Toggle {
  const { strategies, variants = [] } = { ...(value as Partial<Toggle> | null) };
  return Array.isArray(strategies) && strategies.length > 0 && Array.isArray(variants ?? []);
}

/**
 * Returns the version before an event; undefined if it is unknown. `events` are events of any items. They are needed for
 * an event without usable diffs: servers compare with the previous event, which may contain only the name.
 */
export function findVersionBefore(event: Event, events: readonly Event[]): Toggle | undefined {
  const { data, diffs } = event;
  const undone = data && diffs ? undoDiffs(data, diffs) : undefined;
  return isToggle(undone) ? undone : findOlderVersion(event, events);
}

/** Returns the newest older version, with the effects of the events since then that do not contain the whole toggle. */
function findOlderVersion(event: Event, events: readonly Event[]): Toggle | undefined {
  const name = getEventSubject(event)?.name;
  const older = events
    .filter((one) => one.id < event.id && getToggleAction(one) !== undefined && getEventSubject(one)?.name === name)
    .toSorted((a, b) => b.id - a.id);
  let since: Partial<Toggle> = {};
  for (const one of older) {
    const version = getToggleVersion(one);
    if (version) return { ...version, ...since };
    const effect = getPartialChange(one);
    if (!effect) return undefined;
    since = { ...effect, ...since };
  }
  return undefined;
}

/** Returns the fields that an event without the whole toggle set; undefined if they are unknown. */
export function getPartialChange(event: Event): Partial<Toggle> | undefined {
  switch (getToggleAction(event)) {
    case 'stale-on':
      return { stale: true };
    case 'stale-off':
      return { stale: false };
    case 'environment-enabled':
      return { enabled: true };
    case 'environment-disabled':
      return { enabled: false };
    // Servers revive toggles in the disabled state.
    case 'revived':
      return { enabled: false };
    case 'archived':
    case 'tagged':
    case 'untagged':
      return {};
    default:
      return undefined;
  }
}
