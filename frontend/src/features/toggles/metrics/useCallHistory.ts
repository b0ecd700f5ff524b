import { useSyncExternalStore } from 'react';
import { featureHistory } from '@/api/endpoints';
import { useServerEnvironment } from '@/api/environment';
import { type ApiError, isNotFound } from '@/api/error';
import type { Counts, ToggleMetrics, UsageHistory } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { metricsPoll } from '@/api/metricsPoll';
import { currentSettings } from '@/api/settings';
import { getCounts } from '@/domain/toggles/toggleList';
import { clockNow, subscribeClock } from '@/lib/clock';
import { createStore, useStore } from '@/lib/store';
import {
  type ApplicationCounts,
  type CallEntry,
  PERIODS,
  type Period,
  type Range,
  sumByApplication,
  toPeriods,
} from './periods';

export type CallHistoryState =
  | { state: 'loading' }
  | { state: 'failed'; error: ApiError; reload: () => void }
  | { state: 'unsupported' }
  | {
      state: 'ready';
      periods: readonly Period[];
      /** Undefined if the server does not count by application. */
      applications: readonly ApplicationCounts[] | undefined;
      /** Start of the collection in ms, if this page collects the counts itself. */
      collectedSince: number | undefined;
    };

/**
 * Counts of a toggle by period: of all applications, or of one. `until` is the earlier time in ms that the page shows: only
 * periods that were over then are counted.
 */
export function useCallHistory(
  toggle: string,
  range: Range,
  application: string | null,
  until: number | undefined,
): CallHistoryState {
  const { data, error, reload } = useRead(featureHistory(toggle, range === 'hour' ? 'minutes' : 'raw?hoursBack=168'), {
    polls: true,
  });
  const samples = useMinuteSamples();
  const here = useServerEnvironment();
  const now = useCurrentMinute();
  if (data && !isUnused(data)) {
    const end = until === undefined ? now : until - PERIODS[range].ms;
    const first = toPeriods([], range, end)[0]?.start ?? 0;
    const entries = data.data
      .map((one) => ({ ...one, start: Date.parse(one.timestamp), application: one.appName }))
      .filter(({ start, environment }) => start >= first && (!here || environment === here.name))
      .filter(({ start }) => until === undefined || start <= end);
    const shown = application === null ? entries : entries.filter((one) => one.application === application);
    return {
      state: 'ready',
      periods: toPeriods(shown, range, end),
      applications: sumByApplication(entries),
      collectedSince: undefined,
    };
  }
  if (!error && !data) return { state: 'loading' };
  if (error && !isNotFound(error)) return { state: 'failed', error, reload };
  return range === 'hour' ? collectedHistory(samples, toggle, until ?? now) : { state: 'unsupported' };
}

/** 4.2 has the endpoint, but stores counts only if an experimental option is set. */
function isUnused({ maturity, data }: UsageHistory): boolean {
  return maturity === 'experimental' && data.length === 0;
}

/** The range ends with the last complete minute, because a minute is sampled at its end. */
function collectedHistory(samples: MinuteSamples | undefined, toggle: string, until: number): CallHistoryState {
  if (!samples) return { state: 'loading' };
  const end = until - PERIODS.hour.ms;
  const entries = samples.samples.flatMap<CallEntry>(({ start, counts }) => {
    const own = getCounts(counts, toggle);
    return own && start <= end ? [{ start, application: '', ...own }] : [];
  });
  return {
    state: 'ready',
    periods: toPeriods(entries, 'hour', end),
    applications: undefined,
    collectedSince: samples.since,
  };
}

/** Start of the current minute in ms. */
export function useCurrentMinute(): number {
  return useSyncExternalStore(subscribeClock, () => clockNow() - (clockNow() % PERIODS.hour.ms));
}

// Counts per minute from the polls of this page, for servers that do not store them.

const MINUTE_MS = 60_000;
/** A minute counts if a poll was this close to its end: the counts of the last minute are then those of the minute. */
const LAST_PART_MS = 10_000;
const MAX_MINUTES = 60;
/** Maximum number of counts of all minutes and toggles, about 10 MB. */
const MAX_COUNTS = 100_000;

export interface MinuteSamples {
  /** Time in ms from which every minute is either sampled or was missed. */
  since: number;
  /** The counts of all toggles in a minute, oldest first. */
  samples: readonly { start: number; counts: { readonly [toggle: string]: Counts }; size: number }[];
}

const minuteSamples = createStore<MinuteSamples | undefined>(undefined);

/** Undefined before the first poll. */
export function useMinuteSamples(): MinuteSamples | undefined {
  return useStore(minuteSamples);
}

// The embedded service stores the counts itself.
metricsPoll.subscribe(() => {
  const poll = metricsPoll.get();
  const isStored = currentSettings()?.mode === 'embedded';
  minuteSamples.set(poll && !isStored ? addPoll(minuteSamples.get(), poll.at, poll.metrics) : undefined);
});

/** Adds the last poll of a minute, and drops the oldest minutes above the limits. */
export function addPoll(
  before: MinuteSamples = { since: Number.NaN, samples: [] },
  at: number,
  { lastMinute }: ToggleMetrics,
): MinuteSamples {
  const since = Number.isNaN(before.since) ? at : before.since;
  if (at % MINUTE_MS < MINUTE_MS - LAST_PART_MS) return { ...before, since };
  const start = at - (at % MINUTE_MS);
  const sample = { start, counts: lastMinute, size: Object.keys(lastMinute).length };
  const samples = [...before.samples.filter((one) => one.start !== start), sample].slice(-MAX_MINUTES);
  let total = samples.reduce((sum, { size }) => sum + size, 0);
  let dropped = 0;
  for (const { size } of samples.slice(0, -1)) {
    if (total <= MAX_COUNTS) break;
    total -= size;
    dropped += 1;
  }
  const kept = samples.slice(dropped);
  return { since: dropped > 0 ? (kept[0]?.start ?? since) : since, samples: kept };
}
