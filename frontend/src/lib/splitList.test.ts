import { expect, test } from 'vitest';
import { splitList } from './splitList';

test.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['a,,b,a,', ['a', 'b']],
  ['a\nb', ['a', 'b']],
  ['', []],
])('[S5-018] [S5-019] splits the list "%s"', (text, expected) => {
  expect(splitList(text)).toEqual(expected);
});
