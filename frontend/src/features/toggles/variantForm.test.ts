import { expect, test } from 'vitest';
import type { Variant } from '@/api/generated/types';
import {
  addOverride,
  formatJson,
  groupStickiness,
  putVariant,
  removeVariant,
  toVariant,
  variantErrors,
  variantInput,
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

test('a variant that nobody changed goes back as it came, unknown fields and all', () => {
  expect(toVariant(variantInput(blue), blue, 'default')).toEqual(blue);
  expect(toVariant(variantInput(green), green, 'userId')).toEqual(green);
});

test('a new variant is variable, without payload and overrides, and sticks with its group', () => {
  expect(toVariant({ ...variantInput(), name: ' red ' }, undefined, 'userId')).toEqual({
    name: 'red',
    weight: 0,
    weightType: 'variable',
    stickiness: 'userId',
  });
});

test.each([
  ['name', { name: '' }, { name: 'Name is required' }],
  ['name of spaces', { name: '  ' }, { name: 'Name is required' }],
  ['taken name', { name: 'green ' }, { name: 'There is a variant called green already.' }],
  ['fixed weight', { weightType: 'fix', weight: '1.23' }, { weight: expect.stringMatching(/one decimal/) }],
  ['variable weight that counts for nothing', { weightType: 'variable', weight: 'x' }, {}],
  ['payload', { payloadType: 'json', payloadValue: '{' }, { payload: expect.stringMatching(/^This is not JSON/) }],
  ['payload of another type', { payloadType: 'csv', payloadValue: '{' }, {}],
  ['no payload', { payloadType: 'json', payloadValue: ' ' }, {}],
] as const)('tells what is wrong with the %s [S5-010]', (_, change, errors) => {
  expect(variantErrors({ ...variantInput(blue), ...change }, [green])).toEqual(errors);
});

test('an override needs a value', () => {
  const input = addOverride(variantInput(blue));
  expect(input.overrides.map(({ key }) => key)).toEqual([0, 1]);
  expect(input.overrides[1]?.override).toEqual({ contextName: 'userId', values: [] });
  expect(variantErrors(input, [])).toEqual({ overrides: expect.stringMatching(/value/) });
});

test('emptying payload and overrides takes them away', () => {
  const variant = toVariant({ ...variantInput(blue), payloadValue: ' ', overrides: [] }, blue, 'default');
  expect(variant).not.toHaveProperty('payload');
  expect(variant.overrides).toEqual([]);
});

test('putting a variant shares the weights anew, in its old place or at the end', () => {
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
])('%# the group sticks to what its first variant does', (variants, stickiness) => {
  expect(groupStickiness(variants)).toBe(stickiness);
});
