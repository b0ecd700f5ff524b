// Day and time of day, for lists that are grouped by day.
import { useSyncExternalStore } from 'react';
import { clockNow, subscribeClock } from '@/lib/clock';
import { formatExact } from '@/lib/format';
import { formatClock, formatDay } from '@/lib/formatDay';
import { useLocale } from '@/lib/locale';

/** Time of day, with the exact time as a tooltip. */
export function ClockTime({ value }: { value: string }) {
  const locale = useLocale();
  const at = Date.parse(value);
  // Servers may send times that browsers cannot parse.
  if (Number.isNaN(at)) return value;
  return (
    <time dateTime={value} title={formatExact(at, locale)}>
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
