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
