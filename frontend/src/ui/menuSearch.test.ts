import { expect, test } from 'vitest';
import { findTyped } from './menuSearch';

const ITEMS = ['environment', 'userId', 'appName', 'New context field…', 'email', 'API version'];

let menus = 0;

/** Types letters with pauses (digits, in tenths of a second), and returns the item with the focus. */
function type(text: string): string | undefined {
  menus += 1;
  const items = ITEMS.map((textContent) => ({ textContent }));
  let [current, timeStamp] = [0, 0];
  for (const key of text) {
    if (/\d/u.test(key)) timeStamp += Number(key) * 100;
    else {
      timeStamp += 100;
      const found = findTyped({ key, timeStamp, currentTarget: menus }, items, current);
      if (found) current = items.indexOf(found);
    }
  }
  return ITEMS[current];
}

test.each([
  ['the first letters', 'env', 'environment'],
  ['the first letters of another item', 'em', 'email'],
  ['a capital letter', 'N', 'New context field…'],
  ['the same letter again', 'aa', 'API version'],
  ['the same letter three times', 'aaa', 'appName'],
  ['a letter after a pause', 'e9n', 'New context field…'],
  ['a letter after a shorter pause', 'e8n', 'environment'],
  ['a text that no item starts with', 'exn', 'email'],
  ['a text without a match, and another one later', 'exn9us', 'userId'],
])('finds %s', (_, text, expected) => {
  expect(type(text)).toBe(expected);
});

test('a letter in another menu starts a new text', () => {
  expect(type('en')).toBe('environment');
  expect(type('u')).toBe('userId');
});
