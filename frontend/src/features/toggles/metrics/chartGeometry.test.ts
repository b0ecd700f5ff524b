import { expect, test } from 'vitest';
import { barPath, chartScale } from './CallChart';
import { gapPath } from './ChartFrame';
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
