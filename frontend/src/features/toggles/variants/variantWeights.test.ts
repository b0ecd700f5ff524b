import { expect, test } from 'vitest';
import type { Variant } from '@/api/generated/types';
import { distributeWeights, formatWeight, getUnassignedWeight, parseWeight } from './variantWeights';

/** Fixed ones by their weight, variable ones by null. */
function variants(...weights: (number | null)[]): Variant[] {
  return weights.map((weight, index) => ({
    name: `v${index}`,
    weight: weight ?? 1,
    weightType: weight === null ? 'variable' : 'fix',
  }));
}

test.each([
  ['none', [], [], 0],
  ['one variant gets the total weight', [null], [1000], 0],
  ['two variants share equally', [null, null], [500, 500], 0],
  ['three variants leave a tenth of a percent unassigned', [null, null, null], [333, 333, 333], 1],
  ['six variants leave more unassigned', [null, null, null, null, null, null], [166, 166, 166, 166, 166, 166], 4],
  ['a fixed weight is subtracted first', [200, null, null, null], [200, 266, 266, 266], 2],
  ['fixed weights may leave nothing', [600, 400, null], [600, 400, 0], 0],
  ['a fixed weight of zero stays fixed', [0, null], [0, 1000], 0],
])('%s [S3-008] [S5-012] [S5-015] [S9-006] [S9-007]', (_, given, expected, left) => {
  const shared = distributeWeights(variants(...given));
  expect(shared.map(({ weight }) => weight)).toEqual(expected);
  expect(getUnassignedWeight(shared)).toBe(left);
});

test.each([
  ['fixed weights above 100 % [S5-013]', [600, 401, null], 'The traffic distribution total must equal 100%'],
  [
    'fixed weights above 100 % without a variable variant',
    [600, 401],
    'The traffic distribution total must equal 100%',
  ],
  ['no variable variant [S5-014]', [600, 400], 'There must be atleast one variable variant'],
])('refuses %s', (_, given, message) => {
  expect(() => distributeWeights(variants(...given))).toThrow(message);
});

test('keeps other fields of a variant', () => {
  const one = { ...variants(null)[0], stickiness: 'userId', custom: 1 } as unknown as Variant;
  expect(distributeWeights([one])).toEqual([{ ...one, weight: 1000 }]);
});

test.each([
  ['33.3', 333],
  ['33,3', 333],
  [' 12.50 % ', 125],
  ['0', 0],
  ['100', 1000],
  ['7.', 70],
  ['250', 2500],
  ['0.1', 1],
  ['29.9', 299],
])('parses %o as %i tenths of a percent', (typed, weight) => {
  expect(parseWeight(typed)).toEqual({ weight });
});

test.each([
  ['', /number/],
  ['many', /number/],
  ['1e3', /number/],
  ['1.2.3', /number/],
  ['-1', /less than 0/],
  ['33.333', /at most one decimal/],
  ['0.05', /at most one decimal/],
])('rejects the weight %o with a message', (typed, words) => {
  expect(parseWeight(typed).error).toMatch(words);
});

test.each([
  [333, '33.3'],
  [1000, '100'],
  [1, '0.1'],
])('formats %i tenths of a percent as %o', (weight, text) => {
  expect(formatWeight(weight)).toBe(text);
});
