import { expect, test } from 'vitest';
import { joinFirst, splitList, truncate } from './text';

test.each([
  [[], ''],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('joins the first texts of %j', (texts, expected) => {
  expect(joinFirst(texts, 2)).toBe(expected);
});

test.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['a,,b,a,', ['a', 'b']],
  ['a\nb', ['a', 'b']],
  ['', []],
])('[S5-018] [S5-019] splits the list "%s"', (text, expected) => {
  expect(splitList(text)).toEqual(expected);
});

test.each([
  ['short text stays', 'abc', 50, 'abc'],
  ['text of exactly the limit stays', 'abcde', 5, 'abcde'],
  ['longer text ends in an ellipsis', 'abcdef', 5, 'abcde…'],
  ['empty text stays', '', 5, ''],
])('%s', (_, text, length, expected) => {
  expect(truncate(text, length)).toBe(expected);
});

test('[S9-019] truncates to 50 characters and an ellipsis by default', () => {
  expect(truncate('x'.repeat(50))).toBe('x'.repeat(50));
  expect(truncate('x'.repeat(51))).toBe(`${'x'.repeat(50)}…`);
});
