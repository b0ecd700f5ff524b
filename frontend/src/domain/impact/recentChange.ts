// The versions of a toggle within the last hour, according to its log. Pure functions.
import type { Event, Strategy, Toggle } from '@/api/generated/types';
import { getToggleAction } from '@/domain/events/eventType';
import { getStrategyChange } from '@/domain/events/newerEvents';
import { findVersionBefore, getPartialChange, getToggleVersion } from '@/domain/events/toggleVersions';
import { getEffect } from './effect';

export const HOUR_MS = 3_600_000;

/** The properties of a toggle that decide how many calls are on. */
export type RatedToggle = Pick<Toggle, 'enabled' | 'strategies'>;

/** A version of a toggle, in effect from a time in ms until the next one. */
export interface TimedVersion {
  toggle: RatedToggle;
  since: number;
}

/** Changes of a toggle within the last hour, during which several versions were in effect. */
export interface RecentChange {
  /** Time of the last change in ms; undefined if it is not in the log yet. */
  at: number | undefined;
  /** The versions of the last hour, with the current one as the last; undefined if one of them is unknown. */
  versions: readonly TimedVersion[] | undefined;
}

/** Events that change nothing about the results of a toggle. */
const OTHER_TYPES = /^feature-(created|tagged|untagged|stale|archived|metadata|completed|potentially)/u;

/** Returns whether an event changed the result of the toggle less than an hour ago. Events without differences may have. */
export function isRecentChange({ type, createdAt, diffs }: Event, now: number): boolean {
  if (now - Date.parse(createdAt) >= HOUR_MS || OTHER_TYPES.test(type)) return false;
  return diffs === null || diffs.some(({ path }) => path[0] === 'strategies' || path[0] === 'enabled');
}

/** Returns the changes of the last hour. `events`: the log of the toggle, newest first. */
export function findRecentChange(
  current: RatedToggle,
  events: readonly Event[],
  now: number,
): RecentChange | undefined {
  const recent = events.filter((event) => isRecentChange(event, now));
  const [newest] = recent;
  if (!newest) return undefined;
  const versions: TimedVersion[] = [];
  let toggle = current;
  for (const event of recent) {
    const before = undo(toggle, event, events);
    // The state is not that of the log: another change is not in it yet.
    if (!before) return { at: undefined, versions: undefined };
    versions.unshift({ toggle, since: Date.parse(event.createdAt) });
    toggle = before;
  }
  const created = events.find((event) => getToggleAction(event) === 'created');
  const since = created ? Date.parse(created.createdAt) : Number.NEGATIVE_INFINITY;
  return { at: Date.parse(newest.createdAt), versions: [{ toggle, since }, ...versions] };
}

/** Returns the version before an event that led to a version; undefined if it is unknown, or if the event led to another one. */
function undo(after: RatedToggle, event: Event, events: readonly Event[]): RatedToggle | undefined {
  const change = getStrategyChange(event);
  if (change) return undoStrategy(after, change.before, change.after);
  const logged = getToggleVersion(event);
  if (logged) {
    const before = findVersionBefore(event, events);
    const isSame = logged.enabled === after.enabled && haveSameAudience(logged.strategies, after.strategies);
    return isSame && before ? { enabled: before.enabled, strategies: before.strategies } : undefined;
  }
  // Servers revive toggles in the disabled state: then, nothing changes.
  if (getToggleAction(event) === 'revived') return after;
  const set = getPartialChange(event)?.enabled;
  return set === after.enabled ? { ...after, enabled: !set } : undefined;
}

/** Logs contain strategies in another form than toggles: with ids, or without properties that have no value. */
function haveSameAudience(one: readonly Strategy[], other: readonly Strategy[]): boolean {
  return getEffect({ enabled: true, strategies: one }, { enabled: true, strategies: other }) === 'neither';
}

function undoStrategy(
  { enabled, strategies }: RatedToggle,
  before: Strategy | undefined,
  after: Strategy | undefined,
): RatedToggle | undefined {
  const index = strategies.findIndex(({ id }) => id !== undefined && id === (after ?? before)?.id);
  if (after) {
    const current = strategies[index];
    if (!current || !haveSameAudience([current], [after])) return undefined;
    return { enabled, strategies: before ? strategies.with(index, before) : strategies.toSpliced(index, 1) };
  }
  return before && index < 0 ? { enabled, strategies: [...strategies, before] } : undefined;
}
