// Impact metrics of a toggle by minute, as the charts show them.

import type { ImpactMetric, ImpactMinute } from '@/api/generated/types';
import { PERIODS } from './periods';

export interface ImpactPeriod {
  /** Time in ms. */
  start: number;
  /** Increment, last value or mean of the observed values. Undefined without reports or observed values. */
  value: number | undefined;
}

/** Returns all minutes of the hour that ends at `end`, oldest first. */
export function toImpactPeriods(
  { type }: Pick<ImpactMetric, 'type'>,
  minutes: readonly ImpactMinute[],
  end: number,
): readonly ImpactPeriod[] {
  const { ms, number } = PERIODS.hour;
  const values = new Map(
    minutes.map((minute) => [Math.floor(Date.parse(minute.timestamp) / ms), getMinuteValue(type, minute)]),
  );
  const last = Math.max(Math.floor(end / ms), ...values.keys());
  return Array.from({ length: number }, (_, index) => {
    const period = last - number + 1 + index;
    return { start: period * ms, value: values.get(period) };
  });
}

function getMinuteValue(type: ImpactMetric['type'], { value, count }: ImpactMinute): number | undefined {
  if (type !== 'histogram') return value;
  return count ? value / count : undefined;
}

/** Sum, last value or mean of an hour; undefined without observed values. */
export function summarise({ type }: Pick<ImpactMetric, 'type'>, minutes: readonly ImpactMinute[]): number | undefined {
  if (type === 'gauge') return minutes.at(-1)?.value;
  const sum = minutes.reduce((total, { value }) => total + value, 0);
  if (type === 'counter') return sum;
  return getMinuteValue(type, { timestamp: '', value: sum, count: countValues(minutes) });
}

export function countValues(minutes: readonly ImpactMinute[]): number {
  return minutes.reduce((total, { count }) => total + (count ?? 0), 0);
}
