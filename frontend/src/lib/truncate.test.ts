import { expect, test } from 'vitest';
import { truncate } from './truncate';

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
