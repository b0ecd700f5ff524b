// Whether the calls of the last hour measure the current strategies.
import { useState, useSyncExternalStore } from 'react';
import { featureEvents } from '@/api/endpoints';
import type { Counts, Event, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useMetrics } from '@/api/reads';
import { getCounts } from '@/domain/toggles/toggleList';
import { clockNow, subscribeClock } from '@/lib/clock';
import { jsonEqual } from '@/lib/json';

const HOUR_MS = 3_600_000;

/** Reads the calls of a toggle in the last hour; undefined without calls and while they are unknown. */
export function useLastHour(name: string): Counts | undefined {
  return getCounts(useMetrics(true)?.lastHour, name);
}

/** Returns whether the last hour measures the toggle: it is on, and applications use it. */
export function isMeasured({ enabled }: Toggle, lastHour: Counts | undefined): boolean {
  return enabled && lastHour !== undefined && lastHour.yes + lastHour.no > 0;
}

/**
 * Returns whether the strategies or the enabled state changed within the last hour, according to the log. Without a log,
 * only changes since the page was opened are known. Nothing is read unless `isUsed`.
 */
export function useIsChangeRecent(toggle: Toggle, isUsed: boolean): boolean {
  const { data } = useRead(isUsed ? featureEvents(toggle.name) : null);
  const isLogged = useSyncExternalStore(subscribeClock, () =>
    (data?.events ?? []).some((event) => isRecentChange(event, clockNow())),
  );
  const state = { enabled: toggle.enabled, strategies: toggle.strategies };
  // The log contains a change of this page a moment later.
  const [first] = useState(state);
  return isLogged || !jsonEqual(first, state);
}

/** Events that change nothing about the results of a toggle. */
const OTHER_TYPES = /^feature-(created|tagged|untagged|stale|archived|metadata|completed|potentially)/u;

/** Returns whether an event changed the result of the toggle less than an hour ago. Events without differences may have. */
export function isRecentChange({ type, createdAt, diffs }: Event, now: number): boolean {
  if (now - Date.parse(createdAt) >= HOUR_MS || OTHER_TYPES.test(type)) return false;
  return diffs === null || diffs.some(({ path }) => path[0] === 'strategies' || path[0] === 'enabled');
}
