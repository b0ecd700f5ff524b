import { expect, test } from 'vitest';
import { applyChoice } from './useSelection';

const names = ['a', 'b', 'c', 'd', 'e'];
const one = (name: string, checked = true) => ({ name, checked, range: false });
const upTo = (name: string, checked = true) => ({ name, checked, range: true });

test.each([
  ['one more row', 'a', one('c'), 'a', 'a c'],
  ['one row less', 'a c', one('c', false), 'a', 'a'],
  ['a range downwards', 'b', upTo('d'), 'b', 'b c d'],
  ['a range upwards', 'd', upTo('b'), 'd', 'd b c'],
  ['a deselected range', 'a b c d', upTo('c', false), 'b', 'a d'],
  ['a range without a first row', '', upTo('c'), undefined, 'c'],
  ['a range from a row that the filter hid', 'z', upTo('c'), 'z', 'z c'],
] as const)('%s', (_, chosen, choice, last, expected) => {
  const before = new Set(chosen.split(' ').filter(Boolean));
  expect([...applyChoice(before, names, choice, last)].join(' ')).toBe(expected);
});
