// Counts of a toggle by period, as the chart and the tables show them.

import type { Counts } from '@/api/generated/types';
import { compareNames } from '@/lib/compareNames';
import { getClockOptions } from '@/lib/format';

export type Range = 'hour' | 'week';

/** Length and number of the periods of a range. */
export const PERIODS: { [key in Range]: { ms: number; number: number } } = {
  hour: { ms: 60_000, number: 60 },
  week: { ms: 3_600_000, number: 168 },
};

/** Counts of an application in one period. */
export interface CallEntry extends Counts {
  /** Time in ms. */
  start: number;
  application: string;
}

export interface Period {
  /** Time in ms. */
  start: number;
  /** Undefined without reports, which differs from reports of zero calls. */
  counts: Counts | undefined;
}

export interface ApplicationCounts extends Counts {
  /** Empty for the applications that the server does not count separately. */
  name: string;
}

/** Returns all periods of the range that ends at `end`, oldest first. Ends later if a server with a faster clock has newer entries. */
export function toPeriods(entries: readonly CallEntry[], range: Range, end: number): readonly Period[] {
  const { ms, number } = PERIODS[range];
  const sums = new Map<number, Counts>();
  let last = Math.floor(end / ms);
  for (const entry of entries) {
    const period = Math.floor(entry.start / ms);
    last = Math.max(last, period);
    sums.set(period, addCounts(sums.get(period), entry));
  }
  return Array.from({ length: number }, (_, index) => {
    const period = last - number + 1 + index;
    return { start: period * ms, counts: sums.get(period) };
  });
}

/** Returns the sums of each application, those with the most calls first. */
export function sumByApplication(entries: readonly CallEntry[]): readonly ApplicationCounts[] {
  const sums = new Map<string, Counts>();
  for (const entry of entries) sums.set(entry.application, addCounts(sums.get(entry.application), entry));
  const applications = [...sums].map(([name, counts]) => ({ name, ...counts }));
  return applications.sort((a, b) => b.yes + b.no - (a.yes + a.no) || compareNames(a.name, b.name));
}

export function sumPeriods(periods: readonly Period[]): Counts {
  return periods.reduce<Counts>((sum, { counts }) => (counts ? addCounts(sum, counts) : sum), { yes: 0, no: 0 });
}

function addCounts(sum: Counts = { yes: 0, no: 0 }, { yes, no }: Counts): Counts {
  return { yes: sum.yes + yes, no: sum.no + no };
}

const DAY = { day: 'numeric', month: 'numeric' } as const;

/** Minutes between two labels of the time axis. */
const LABEL_MINUTES = 15;

const MAX_LABEL_POSITION = 0.95;

interface AxisLabel {
  /** Index of its period. */
  index: number;
  text: string;
}

/** Returns a function that formats the time of a period, such as `14:05`, or `22/11, 14:00 – 15:00` for an hour. */
export function periodFormatter(range: Range, locale: string): (start: number) => string {
  if (range === 'hour') {
    const time = new Intl.DateTimeFormat(locale, getClockOptions(locale));
    return (start) => time.format(start);
  }
  const dayAndTime = new Intl.DateTimeFormat(locale, { ...DAY, ...getClockOptions(locale) });
  return (start) => dayAndTime.formatRange(start, start + PERIODS.week.ms);
}

/** Returns a function that formats the time of a change, such as `14:05`, or `22/11, 14:05` in a chart of several days. */
export function changeFormatter(range: Range, locale: string): (time: number) => string {
  const clock = getClockOptions(locale);
  const format = new Intl.DateTimeFormat(locale, range === 'hour' ? clock : { ...DAY, ...clock });
  return (time) => format.format(time);
}

/** Labels of the time axis: every 15 minutes, or every midnight. */
export function axisLabels(starts: readonly number[], range: Range, locale: string): readonly AxisLabel[] {
  const format = new Intl.DateTimeFormat(locale, range === 'hour' ? getClockOptions(locale) : DAY);
  return starts.flatMap((start, index) => {
    const date = new Date(start);
    // A label at the right edge would leave the chart.
    if (index > starts.length * MAX_LABEL_POSITION) return [];
    const isLabelled = range === 'hour' ? date.getMinutes() % LABEL_MINUTES === 0 : date.getHours() === 0;
    return isLabelled ? [{ index, text: format.format(start) }] : [];
  });
}
