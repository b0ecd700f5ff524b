import { useSyncExternalStore } from 'react';
import { featureHistory } from '@/api/endpoints';
import { useServerEnvironment } from '@/api/environment';
import { type ApiError, isNotFound } from '@/api/error';
import type { UsageHistory } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { getCounts } from '@/domain/toggles/toggleList';
import { clockNow, subscribeClock } from '@/lib/clock';
import { type MinuteSamples, useMinuteSamples } from './minuteSamples';
import {
  type ApplicationCounts,
  type Entry,
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

/** Counts of a toggle by period: of all applications, or of one. */
export function useCallHistory(toggle: string, range: Range, application: string | null): CallHistoryState {
  const { data, error, reload } = useRead(featureHistory(toggle, range === 'hour' ? 'minutes' : 'raw?hoursBack=168'), {
    polls: true,
    handlesFailure: true,
  });
  const samples = useMinuteSamples();
  const here = useServerEnvironment();
  const now = useCurrentMinute();
  if (data && !isUnused(data)) {
    const periods = toPeriods([], range, now);
    const first = periods[0]?.start ?? 0;
    const entries = data.data
      .map((one) => ({ ...one, start: Date.parse(one.timestamp), application: one.appName }))
      .filter(({ start, environment }) => start >= first && (!here || environment === here.name));
    const shown = application === null ? entries : entries.filter((one) => one.application === application);
    return {
      state: 'ready',
      periods: toPeriods(shown, range, now),
      applications: sumByApplication(entries),
      collectedSince: undefined,
    };
  }
  if (!error && !data) return { state: 'loading' };
  if (error && !isNotFound(error)) return { state: 'failed', error, reload };
  return range === 'hour' ? collectedHistory(samples, toggle, now) : { state: 'unsupported' };
}

/** 4.2 has the endpoint, but stores counts only if an experimental option is set. */
function isUnused({ maturity, data }: UsageHistory): boolean {
  return maturity === 'experimental' && data.length === 0;
}

/** The range ends with the last complete minute, because a minute is sampled at its end. */
function collectedHistory(samples: MinuteSamples | undefined, toggle: string, now: number): CallHistoryState {
  if (!samples) return { state: 'loading' };
  const entries = samples.samples.flatMap<Entry>(({ start, counts }) => {
    const own = getCounts(counts, toggle);
    return own ? [{ start, application: '', ...own }] : [];
  });
  return {
    state: 'ready',
    periods: toPeriods(entries, 'hour', now - PERIODS.hour.ms),
    applications: undefined,
    collectedSince: samples.since,
  };
}

/** Start of the current minute in ms. */
function useCurrentMinute(): number {
  return useSyncExternalStore(subscribeClock, () => clockNow() - (clockNow() % PERIODS.hour.ms));
}
