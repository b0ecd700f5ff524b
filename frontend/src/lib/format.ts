const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Caches one formatter per locale, because creating one costs far more than formatting. */
export function cacheByLocale<T>(create: (locale: string) => T): (locale: string) => T {
  const known = new Map<string, T>();
  return (locale) => {
    const formatter = known.get(locale) ?? create(locale);
    known.set(locale, formatter);
    return formatter;
  };
}

/** Language of the page. The locale picker changes only the format of dates and numbers. */
export const LANGUAGE = 'en';
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'always' });
const exact = cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }));
const decimal = cacheByLocale((locale) => new Intl.NumberFormat(locale));

/**
 * Formats a time as `3 days ago`, or as `just now` below one minute. Times in the future, from a server clock that is
 * ahead, also read `just now`.
 */
export function formatRelative(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000);
  const unit = UNITS.find(([, length]) => seconds >= length);
  return unit ? relative.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now';
}

const PARTS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** Formats a duration in its two largest units, such as `1 h 26 min`. Seconds are shown only below one minute. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const largest = Math.max(
    0,
    PARTS.findIndex(([, length]) => seconds >= length),
  );
  const shown =
    seconds === 0
      ? PARTS.slice(-1)
      : PARTS.slice(largest, largest + 2).filter(([unit]) => unit !== 's' || seconds < 60);
  let rest = seconds;
  const parts = shown.map(([unit, length], index) => {
    const value = Math.floor(rest / length);
    rest -= value * length;
    return index > 0 && value === 0 ? '' : `${value}\u00a0${unit}`;
  });
  return parts.filter(Boolean).join(' ');
}

export function formatExact(at: number, locale: string): string {
  return exact(locale).format(at);
}

/** Returns the options of a time of day in the format of `timeStyle: 'short'`, which cannot be combined with a day. */
export function getClockOptions(locale: string): { hour: 'numeric' | '2-digit'; minute: '2-digit' } {
  const { hour12 } = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).resolvedOptions();
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
}

export function formatNumber(value: number, locale: string): string {
  return decimal(locale).format(value);
}

/** Formats a percentage, such as `33.3 %` or `33,3 %`. */
/** Rounds a number of calls to three digits: the calls of one hour do not predict the next one more exactly. */
export function roundCount(count: number): number {
  return Number(count.toPrecision(3));
}

export function formatPercentage(value: number, locale: string): string {
  return withPercentSign(formatNumber(value, locale));
}

/** Adds the sign to a number, on the same line of a text. */
export function withPercentSign(number: number | string): string {
  return `${number}\u00a0%`;
}
