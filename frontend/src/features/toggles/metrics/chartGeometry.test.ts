import { expect, test } from 'vitest';
import { barPath, chartScale } from './CallChart';
import { gapPath } from './ChartFrame';
import { impactPath, impactScale } from './ImpactChart';
import type { Period } from './periods';

function periods(...counts: readonly (readonly [yes: number, no: number] | undefined)[]): readonly Period[] {
  return counts.map((pair, index) => ({ start: index, counts: pair && { yes: pair[0], no: pair[1] } }));
}

test('the scale is the same for yes and no, and ends at round numbers', () => {
  expect(chartScale(periods([160, 41], [7, 0]))).toEqual({ yes: 200, no: 50, zero: 80 });
  expect(chartScale(periods([0, 0], undefined))).toEqual({ yes: 0, no: 0, zero: 50 });
  expect(chartScale(periods([9, 0]))).toEqual({ yes: 10, no: 0, zero: 100 });
  expect(chartScale(periods([0, 613]))).toEqual({ yes: 0, no: 800, zero: 0 });
});

test('bars start at the line, and small counts are visible', () => {
  const some = periods([100, 100], undefined, [0, 0], [50, 1]);
  const scale = chartScale(some);
  expect(barPath(some, 'yes', scale)).toBe('M0.1 50v-50h.8V50zM3.1 50v-25h.8V50z');
  expect(barPath(some, 'no', scale)).toBe('M0.1 50v50h.8V50zM3.1 50v1h.8V50z');
});

test('adjacent gaps are one rectangle, and zero is no gap', () => {
  expect(gapPath([undefined, undefined, 0, undefined])).toBe('M0 0H2V100H0zM3 0H4V100H3z');
  expect(gapPath([1])).toBe('');
});

test('bars of a metric start at zero, also of negative values', () => {
  const some = [7, undefined, 0, -2, 0.001].map((value, start) => ({ start, value }));
  const scale = impactScale(some);
  expect(scale).toEqual({ min: -2, max: 8 });
  expect(impactPath(some, scale)).toBe('M0.1 80v-70h.8V80zM3.1 80v20h.8V80zM4.1 80v-2h.8V80z');
  expect(impactScale([{ start: 0, value: 0 }])).toEqual({ min: 0, max: 0 });
  expect(impactScale([{ start: 0, value: 0.35 }])).toEqual({ min: 0, max: 0.4 });
});
