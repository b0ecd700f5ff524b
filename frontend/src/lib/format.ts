/** Shorter durations read `now`, because counting single seconds flickers. */
const PRESENT_SECONDS = 5;

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Caches one formatter per locale, because creating one costs far more than formatting. */
function cacheByLocale<T>(create: (locale: string) => T): (locale: string) => T {
  const known = new Map<string, T>();
  return (locale) => {
    const formatter = known.get(locale) ?? create(locale);
    known.set(locale, formatter);
    return formatter;
  };
}

/** Language of the page. The locale picker changes only the format of dates and numbers. */
const LANGUAGE = 'en';
const present = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'always' });
const exact = cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }));
const decimal = cacheByLocale((locale) => new Intl.NumberFormat(locale));

/** Formats a time as `3 days ago` or `now`. Times in the future, from a server clock that is ahead, also read `now`. */
export function formatRelative(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (seconds < PRESENT_SECONDS) return present.format(0, 'second');
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return relative.format(-Math.floor(seconds / length), unit);
}

export function formatExact(at: number, locale: string): string {
  return exact(locale).format(at);
}

export function formatNumber(value: number, locale: string): string {
  return decimal(locale).format(value);
}

export function formatYesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
