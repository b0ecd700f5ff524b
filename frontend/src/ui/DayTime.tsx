// Day and time of day, for lists that are grouped by day.
import { useSyncExternalStore } from 'react';
import { clockNow, subscribeClock } from '@/lib/clock';
import { cacheByLocale, formatExact } from '@/lib/format';
import { useLocale } from '@/lib/locale';

/** Time of day, with the exact time as a tooltip. */
export function ClockTime({ value }: { value: string }) {
  const locale = useLocale();
  const at = Date.parse(value);
  // Servers may send times that browsers cannot parse.
  if (Number.isNaN(at)) return value;
  return (
    <time dateTime={value} data-tip={formatExact(at, locale)}>
      {formatClock(at, locale)}
    </time>
  );
}

/** Day of a time: `Today`, `Yesterday` or the date. */
export function Day({ value }: { value: string }) {
  const locale = useLocale();
  const at = Date.parse(value);
  return useSyncExternalStore(subscribeClock, () =>
    Number.isNaN(at) ? 'Unknown date' : formatDay(at, clockNow(), locale),
  );
}

// Formats for lists that are grouped by day.

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
