// Times of the page that shows what changed, the authors of its changes, and the evaluations around them.
import type { Event, Interval, PastChange, PeriodCounts, Strategy, Toggle } from '@/api/generated/types';
import { getEventSubject } from '@/domain/events/eventType';
import { getEventEnvironment } from '@/domain/events/newerEvents';
import { describeRule } from '@/domain/strategies/ruleSentence';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { MINUTE_MS, type TimeRange } from '@/shared/timeRange';

interface Bounds {
  /** Null without records. */
  firstRecord: string | null;
  now: number;
}

/** Returns the times of the request. It starts at the first record, and the last minute is included, up to the present. */
export function toRequestTimes(
  { from, until }: TimeRange,
  { firstRecord, now }: Bounds,
): { from: string; to?: string } {
  const first = Date.parse(firstRecord ?? '');
  const last = until === '' ? Number.POSITIVE_INFINITY : endOfMinute(Date.parse(until));
  // A range before all records is an error, which names the first record.
  const isClamped = Date.parse(from) < first && first <= last;
  return {
    from: isClamped ? String(firstRecord) : from,
    ...(last < now && { to: new Date(last).toISOString() }),
  };
}

/** Returns the last millisecond of a time with minute precision. Another time stays as it is. */
function endOfMinute(time: number): number {
  return time % MINUTE_MS === 0 ? time + MINUTE_MS - 1 : time;
}

/** Maximum difference between the clocks of Flagdeck and of the flag service. */
const CLOCK_MS = 2_000;

/** Returns who changed the toggle in the interval, in the order of the events; empty if no event matches. */
export function findAuthors(
  { name, first, last }: Pick<PastChange, 'name' | 'first' | 'last'>,
  events: readonly Event[],
  environment: string | undefined,
): readonly string[] {
  const start = first.after === null ? Number.NEGATIVE_INFINITY : Date.parse(first.after) - CLOCK_MS;
  const end = Date.parse(last.by) + CLOCK_MS;
  const matching = events.filter((event) => {
    const subject = getEventSubject(event);
    const at = Date.parse(event.createdAt);
    const isHere = [undefined, environment].includes(getEventEnvironment(event));
    return subject?.kind === 'toggle' && subject.name === name && isHere && at >= start && at <= end;
  });
  const authors = matching.toSorted((a, b) => a.id - b.id).map(({ createdBy }) => createdBy || 'Unknown user');
  return [...new Set(authors)];
}

/** Length of the stored periods, and how many of them count on each side of a change. */
export const RESOLUTIONS = {
  minutes: { ms: MINUTE_MS, count: 5, kept: 54 * MINUTE_MS, text: '5 minutes' },
  hours: { ms: 60 * MINUTE_MS, count: 1, kept: 167 * 60 * MINUTE_MS, text: 'hour' },
} as const;

export type Resolution = keyof typeof RESOLUTIONS;

/** Returns the finest resolution in which the evaluations around a time are stored; undefined if they are not any more. */
export function findResolution({ by }: Interval, now: number): Resolution | undefined {
  const age = now - Date.parse(by);
  return (['minutes', 'hours'] as const).find((resolution) => age <= RESOLUTIONS[resolution].kept);
}

/** Evaluations per minute. */
export interface Rate {
  yes: number;
  no: number;
}

/** Returns the rates before and after a time, without the period that contains it. Undefined until a period is complete. */
export function findRates(
  counts: readonly PeriodCounts[],
  { by }: Interval,
  { resolution, now }: { resolution: Resolution; now: number },
): { before: Rate | undefined; after: Rate | undefined } {
  const { ms, count } = RESOLUTIONS[resolution];
  const middle = Math.floor(Date.parse(by) / ms);
  const isComplete = (period: number) => (period + 1) * ms <= now;
  const rate = (first: number) => {
    const periods = Array.from({ length: count }, (_, index) => first + index).filter(isComplete);
    if (periods.length === 0) return undefined;
    const entries = counts.filter(({ timestamp }) => periods.includes(Math.floor(Date.parse(timestamp) / ms)));
    const perMinute = (sum: number) => sum / ((periods.length * ms) / MINUTE_MS);
    return {
      yes: perMinute(entries.reduce((sum, { yes }) => sum + yes, 0)),
      no: perMinute(entries.reduce((sum, { no }) => sum + no, 0)),
    };
  };
  return { before: rate(middle - count), after: rate(middle + 1) };
}

/** Describes who gets a toggle, such as `On: 25 % of users`. */
export function describeState(toggle: Toggle | null, segmentName?: SegmentName): string {
  if (!toggle) return 'Not sent to SDKs';
  const rules = toggle.strategies
    .filter(({ disabled }) => !disabled)
    .map((strategy: Strategy) => describeRule(strategy, { toggleName: toggle.name, segmentName, maxValues: 5 }));
  return `${toggle.enabled ? 'On' : 'Off'}: ${rules.length === 0 ? 'no strategies' : rules.join(', or ')}`;
}
