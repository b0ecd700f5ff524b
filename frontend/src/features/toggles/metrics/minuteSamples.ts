// Counts per minute from the polls of this page, for servers that do not store them.
import type { Counts, ToggleMetrics } from '@/api/generated/types';
import { metricsPoll } from '@/api/metricsPoll';
import { currentSettings } from '@/api/settings';
import { createStore, useStore } from '@/lib/store';

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
