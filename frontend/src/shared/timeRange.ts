// A range of time: its periods, its text, and its form in URLs.
import { getClockOptions } from '@/lib/format';

export interface TimeRange {
  /** In UTC, so that a URL has the same meaning in all time zones; empty without a bound. */
  from: string;
  until: string;
}

/** Times have minute precision; the last minute is included. */
export const MINUTE_MS = 60_000;

/** Returns the time of a URL parameter; empty if it is not valid. */
export function validMoment(moment: string): string {
  return Number.isNaN(Date.parse(moment)) ? '' : moment;
}

/** Describes the time range, such as `5 Jan, 10:00 – 6 Jan, 10:00`. */
export function formatTimeRange({ from, until }: TimeRange, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...getClockOptions(locale) });
  const [start, end] = [from, until].map((time) => (time === '' ? '' : format.format(new Date(time))));
  if (start && end) return `${start} – ${end}`;
  if (start) return `Since ${start}`;
  return end ? `Until ${end}` : 'Any time';
}

export const PERIODS = ['any', 'hour', 'today', 'yesterday', 'week'] as const;

export type Period = (typeof PERIODS)[number];

/** Returns the time range of a period. Days begin at midnight in the time zone of the browser. */
export function rangeOfPeriod(period: Period, now: number): TimeRange {
  const midnight = (daysAgo: number) => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - daysAgo);
    return day;
  };
  switch (period) {
    case 'any':
      return { from: '', until: '' };
    case 'hour':
      return { from: new Date(Math.floor((now - HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString(), until: '' };
    case 'today':
      return { from: midnight(0).toISOString(), until: '' };
    case 'yesterday':
      return { from: midnight(1).toISOString(), until: new Date(midnight(0).getTime() - MINUTE_MS).toISOString() };
    case 'week':
      return { from: midnight(6).toISOString(), until: '' };
  }
}

const HOUR_MS = 60 * MINUTE_MS;

/** Returns the period that has the time range of the filter; undefined for another range. */
export function findPeriod({ from, until }: TimeRange, now: number): Period | undefined {
  return PERIODS.find((period) => {
    const range = rangeOfPeriod(period, now);
    return range.from === from && range.until === until;
  });
}

/** Converts the value of a `datetime-local` input to UTC. Returns undefined while the year is incomplete. */
export function toUtc(local: string): string | undefined {
  if (local === '') return '';
  const at = new Date(local);
  return Number.isNaN(at.getTime()) || at.getFullYear() < 2000 ? undefined : at.toISOString();
}
