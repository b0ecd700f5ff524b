// Formats for lists that are grouped by day.
import { cacheByLocale } from './format';

const clock = cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const date = cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));

/** Formats the time of day, such as `17:48`. */
export function formatClock(at: number, locale: string): string {
  return clock(locale).format(at);
}

/** Formats a day as `Today`, `Yesterday` or its date. */
export function formatDay(at: number, now: number, locale: string): string {
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (isSameDay(at, now)) return 'Today';
  return isSameDay(at, yesterday.getTime()) ? 'Yesterday' : date(locale).format(at);
}

/** Returns whether two times are on the same day in the time zone of the browser. */
function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
