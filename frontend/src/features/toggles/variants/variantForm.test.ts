import { expect, test } from 'vitest';
import type { Variant } from '@/api/generated/types';
import {
  addOverride,
  formatJson,
  getGroupStickiness,
  putVariant,
  removeVariant,
  toVariant,
  toVariantInput,
  validateVariant,
} from './variantForm';

const blue = {
  name: 'blue',
  weight: 200,
  weightType: 'fix',
  stickiness: 'userId',
  payload: { type: 'json', value: '{}', custom: 1 },
  overrides: [{ contextName: 'region', values: ['a,b'], custom: 2 }],
  custom: 3,
} as unknown as Variant;
const green: Variant = { name: 'green', weight: 800, weightType: 'variable' };

test('an unchanged variant is sent back unchanged, with unknown fields', () => {
  expect(toVariant(toVariantInput(blue), blue, 'default')).toEqual(blue);
  expect(toVariant(toVariantInput(green), green, 'userId')).toEqual(green);
});

test("a new variant is variable, without payload and overrides, with the group's stickiness", () => {
  expect(toVariant({ ...toVariantInput(), name: ' red ' }, undefined, 'userId')).toEqual({
    name: 'red',
    weight: 0,
    weightType: 'variable',
    stickiness: 'userId',
  });
});

test.each([
  ['name', { name: '' }, { name: 'Name is required' }],
  ['name of spaces', { name: '  ' }, { name: 'Name is required' }],
  ['taken name', { name: 'green ' }, { name: 'A variant named green already exists.' }],
  ['fixed weight', { weightType: 'fix', weight: '1.23' }, { weight: expect.stringMatching(/at most one decimal/) }],
  ['unused weight of a variable variant', { weightType: 'variable', weight: 'x' }, {}],
  ['payload', { payloadType: 'json', payloadValue: '{' }, { payloadValue: expect.stringMatching(/^Invalid JSON/) }],
  ['payload of another type', { payloadType: 'csv', payloadValue: '{' }, {}],
  ['no payload', { payloadType: 'json', payloadValue: ' ' }, {}],
] as const)('returns the errors of the %s [S5-010]', (_, change, errors) => {
  expect(validateVariant({ ...toVariantInput(blue), ...change }, [green])).toEqual(errors);
});

test('rejects an override without values', () => {
  const input = addOverride(toVariantInput(blue));
  expect(input.overrides.map(({ key }) => key)).toEqual([0, 1]);
  expect(input.overrides[1]?.override).toEqual({ contextName: 'userId', values: [] });
  expect(validateVariant(input, [])).toEqual({ overrides: expect.stringMatching(/value/) });
});

test('removes an emptied payload and overrides', () => {
  const variant = toVariant({ ...toVariantInput(blue), payloadValue: ' ', overrides: [] }, blue, 'default');
  expect(variant).not.toHaveProperty('payload');
  expect(variant.overrides).toEqual([]);
});

test('puts a variant in its old place or at the end, and redistributes the weights', () => {
  const red: Variant = { name: 'red', weight: 0, weightType: 'variable' };
  const weights = (variants: Variant[]) => variants.map(({ name, weight }) => [name, weight]);
  expect(weights(putVariant([blue, green], red, undefined))).toEqual([
    ['blue', 200],
    ['green', 400],
    ['red', 400],
  ]);
  expect(weights(putVariant([blue, green], { ...blue, name: 'navy', weight: 300 }, 'blue'))).toEqual([
    ['navy', 300],
    ['green', 700],
  ]);
  expect(weights(removeVariant([blue, green], 'blue'))).toEqual([['green', 1000]]);
  expect(removeVariant([green], 'green')).toEqual([]);
  expect(() => removeVariant([blue, green], 'green')).toThrow('There must be atleast one variable variant');
});

test.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['{', '{'],
  ['', ''],
])('formats %o', (text, formatted) => {
  expect(formatJson(text)).toBe(formatted);
});

test.each([
  [[], 'default'],
  [[green], 'default'],
  [[blue, green], 'userId'],
])('%# the group has the stickiness of its first variant', (variants, stickiness) => {
  expect(getGroupStickiness(variants)).toBe(stickiness);
});
