import { expect, test } from 'vitest';
import { withDefaults } from './localSettings';

const defaults = { sort: 'name', showLastHour: false };

test.each([
  ['nothing stored', null, defaults],
  ['text instead of settings', 'name', defaults],
  ['one field stored', { sort: 'type' }, { sort: 'type', showLastHour: false }],
  ['a field of another type', { sort: 7, showLastHour: true }, { sort: 'name', showLastHour: true }],
  ['an unknown field', { colour: 'red' }, defaults],
])('reads settings with %s', (_, stored, expected) => {
  expect(withDefaults(stored, defaults)).toEqual(expected);
});
