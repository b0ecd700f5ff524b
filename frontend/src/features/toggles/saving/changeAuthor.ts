// Finds the author of a change to one strategy: an event of the toggle's log, or a save of this window.
import type { Event, Strategy } from '@/api/generated/types';
import { getStrategyChange } from '@/domain/events/newerEvents';
import { findVersionBefore, getToggleVersion } from '@/domain/events/toggleVersions';
import { isStoredVersionOf } from '@/domain/strategies/matchStrategies';
import { onUserReset } from '@/lib/store';

/** A strategy before and after a change. */
export interface ChangedStrategy {
  base: Strategy;
  /** Undefined if it was removed. */
  theirs: Strategy | undefined;
}

/** Returns the newest event that stored this version of the strategy, or removed it; undefined if the log has none. */
export function findChangeEvent(events: readonly Event[], change: ChangedStrategy): Event | undefined {
  const newestFirst = events.toSorted((a, b) => b.id - a.id);
  return newestFirst.find((event) => {
    const one = getStrategyChange(event);
    if (one) return isChange(listOf(one.before), listOf(one.after), change);
    const after = getToggleVersion(event);
    const before = after && findVersionBefore(event, events);
    return after !== undefined && before !== undefined && isChange(before.strategies, after.strategies, change);
  });
}

const listOf = (strategy: Strategy | undefined) => (strategy ? [strategy] : []);

/** Returns whether a write of these strategies made the change, and did not only keep the strategy as it was. */
function isChange(before: readonly Strategy[], after: readonly Strategy[], { base, theirs }: ChangedStrategy): boolean {
  if (theirs) {
    const contains = (strategies: readonly Strategy[]) => strategies.some((one) => isStoredVersionOf(one, theirs));
    return contains(after) && !contains(before);
  }
  const count = (strategies: readonly Strategy[]) => strategies.filter(({ name }) => name === base.name).length;
  return count(after) < count(before);
}

interface StrategyWrite {
  before: readonly Strategy[];
  after: readonly Strategy[];
}

/** The last write of this window to the strategies of each toggle. */
const lastWrites = new Map<string, StrategyWrite>();
onUserReset(() => lastWrites.clear());

/** Notes a write of this window. `before` is the stored version that it replaced, which may contain changes of others. */
export function noteOwnWrite(name: string, { before, after }: StrategyWrite): void {
  lastWrites.set(name, { before, after });
}

/** Returns whether a save of this window made the change, such as the undo of an earlier save. */
export function isOwnWrite(name: string, change: ChangedStrategy): boolean {
  const write = lastWrites.get(name);
  return write !== undefined && isChange(write.before, write.after, change);
}
