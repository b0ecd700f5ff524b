import { expect, test } from 'vitest';
import { findIcons, isIconName } from './iconNames';

test.each([
  ['home', 'home'],
  ['Shopping cart', 'shopping_cart'],
  ['phone iphone', 'phone_iphone'],
])('a search for %o finds the icon %s first', (search, first) => {
  expect(findIcons(search)[0]).toBe(first);
});

test('returns suggestions without a search, and nothing for a search without matches', () => {
  expect(findIcons(' ')[0]).toBe('apps');
  expect(findIcons('').filter((name) => !isIconName(name))).toEqual([]);
  expect(findIcons('no such icon')).toEqual([]);
});

test.each([
  ['apps', true],
  ['shopping_cart', true],
  ['no_such_icon', false],
  ['constructor', false],
])('isIconName(%j) returns %o', (name, expected) => {
  expect(isIconName(name)).toBe(expected);
});
