// Whether the calls of the last hour measure the current version of a toggle, and which versions they measure otherwise.
import { useMemo, useState, useSyncExternalStore } from 'react';
import { featureEvents } from '@/api/endpoints';
import type { Counts, Toggle } from '@/api/generated/types';
import { useMetrics } from '@/api/reads';
import { useRead } from '@/api/useRead';
import { getCounts } from '@/domain/toggles/toggleList';
import { clockNow, subscribeClock } from '@/lib/clock';
import { jsonEqual } from '@/lib/json';
import { findRecentChange, type RecentChange } from './recentChange';

const MINUTE_MS = 60_000;

/** Reads the calls of a toggle in the last hour; undefined without calls and while they are unknown. */
export function useLastHour(name: string): Counts | undefined {
  return getCounts(useMetrics(true)?.lastHour, name);
}

/** Returns whether the last hour measures the toggle: it is on, and applications use it. */
export function isMeasured({ enabled }: Toggle, lastHour: Counts | undefined): boolean {
  return enabled && lastHour !== undefined && lastHour.yes + lastHour.no > 0;
}

/** The current minute in ms, so that a page renders once in a minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribeClock, () => clockNow() - (clockNow() % MINUTE_MS));
}

/**
 * Returns the changes of the strategies or the enabled state within the last hour, according to the log; undefined if there are
 * none. Without a log, only changes since the page was opened are known. Nothing is read unless `isUsed`.
 */
export function useRecentChange({ name, enabled, strategies }: Toggle, isUsed: boolean): RecentChange | undefined {
  const { data } = useRead(isUsed ? featureEvents(name) : null);
  const minute = useMinute();
  // The log contains a change of this page a moment later.
  const [first] = useState({ enabled, strategies });
  const logged = useMemo(
    () => findRecentChange({ enabled, strategies }, data?.events ?? [], minute),
    [enabled, strategies, data, minute],
  );
  return logged ?? (jsonEqual(first, { enabled, strategies }) ? undefined : { at: undefined, versions: undefined });
}
