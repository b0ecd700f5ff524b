// Texts of periods in the chosen locale.
import { PERIODS, type Period, type Range } from './periods';

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
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
    const time = new Intl.DateTimeFormat(locale, TIME);
    return (start) => time.format(start);
  }
  const dayAndTime = new Intl.DateTimeFormat(locale, { ...DAY, ...TIME });
  return (start) => dayAndTime.formatRange(start, start + PERIODS.week.ms);
}

/** Labels of the time axis: every 15 minutes, or every midnight. */
export function axisLabels(periods: readonly Period[], range: Range, locale: string): readonly AxisLabel[] {
  const format = new Intl.DateTimeFormat(locale, range === 'hour' ? TIME : DAY);
  return periods.flatMap(({ start }, index) => {
    const date = new Date(start);
    // A label at the right edge would leave the chart.
    if (index > periods.length * MAX_LABEL_POSITION) return [];
    const isLabelled = range === 'hour' ? date.getMinutes() % LABEL_MINUTES === 0 : date.getHours() === 0;
    return isLabelled ? [{ index, text: format.format(start) }] : [];
  });
}
