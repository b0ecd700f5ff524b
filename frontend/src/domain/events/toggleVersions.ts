// Versions of a toggle in its events.
import type { Diff, Event, PathStep, Strategy, Toggle } from '@/api/generated/types';
import { type Effect, getEffect } from '@/domain/impact/effect';
import { getEventSubject, getToggleAction } from './eventType';
import { getStrategyChange } from './newerEvents';

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

/** Returns the effect of an event on who gets the feature of its toggle; undefined if the versions are unknown. */
export function findEventEffect(event: Event, events: readonly Event[]): Effect | undefined {
  const action = getToggleAction(event);
  if (action === 'tagged' || action === 'untagged') return undefined;
  const [before, after] = [findVersionBefore(event, events), getToggleVersion(event)];
  if (action === 'created') return after && getEffect(undefined, after);
  if (action === 'archived') return before && getEffect(before, undefined);
  return before && after && getEffect(before, after);
}

/** Returns the strategies before and after an event, which its description may name. */
export function getEventStrategies(event: Event, events: readonly Event[]): readonly Strategy[] {
  const change = getStrategyChange(event);
  if (change) return [change.before, change.after].filter((strategy) => strategy !== undefined);
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  return [...(before?.strategies ?? []), ...(after?.strategies ?? [])];
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

/** Restores the previous value from the diffs of an event. */
export function undoDiffs(after: unknown, diffs: readonly Diff[]): unknown {
  const before: unknown = structuredClone(after);
  for (const diff of diffs) undo(before, diff);
  return before;
}

/** Reverts one diff. Diffs of missing paths, as in truncated data, are ignored. */
function undo(root: unknown, diff: Diff): void {
  const path = diff.kind === 'A' ? [...diff.path, diff.index] : diff.path;
  const change = diff.kind === 'A' ? diff.item : diff;
  const last = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>(getChild, root);
  if (last === undefined || !isContainer(parent)) return;
  if (change.kind !== 'N') parent[last] = change.lhs;
  // Array diffs only add items at the end, in any order.
  else if (Array.isArray(parent)) parent.length = Math.min(parent.length, Number(last));
  else delete parent[last];
}

function isContainer(value: unknown): value is Record<PathStep, unknown> {
  return typeof value === 'object' && value !== null;
}

function getChild(value: unknown, step: PathStep): unknown {
  return isContainer(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
