import { expect, test } from 'vitest';
import { joinFirst } from './joinFirst';

test.each([
  [[], ''],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('joins the first texts of %j', (texts, expected) => {
  expect(joinFirst(texts, 2)).toBe(expected);
});
