import { expect, test } from 'vitest';
import { jsonEqual } from './json';

test.each<[string, unknown, unknown, boolean]>([
  ['equal nested values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['a key without a value and an absent key', { a: undefined }, {}, true],
  ['null and an absent key', { a: null }, {}, false],
  ['a key that only the second object has', {}, { a: 0 }, false],
  ['a list and an object', { a: [] }, { a: {} }, false],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and its beginning', [1, 2], [1], false],
  ['a number and its text', 1, '1', false],
])('compares %s', (_, before, after, expected) => {
  expect(jsonEqual(before, after)).toBe(expected);
  expect(jsonEqual(after, before)).toBe(expected);
});
