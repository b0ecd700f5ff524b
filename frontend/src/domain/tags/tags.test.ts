import { expect, test } from 'vitest';
import { getTagTypeNames, suggestTagValues, toTag } from './tags';
import { validateTagValue } from './validateTagValue';

const type = (name: string) => ({ name, description: null, icon: null });

test.each([
  ['the types of the server', [type('simple'), type('team')], ['simple', 'team']],
  ['the default type before others', [type('team')], ['simple', 'team']],
  ['the default type if the list could not be read', [], ['simple']],
])('offers %s [S9-012]', (_, types, expected) => {
  expect(getTagTypeNames(types)).toEqual(expected);
});

test.each([
  ['simple', ' winter ', { type: 'simple', value: 'winter' }],
  ['team', 'a b', { type: 'team', value: 'a b' }],
  ['', 'winter', { type: 'simple', value: 'winter' }],
  [' ', 'winter', { type: 'simple', value: 'winter' }],
])('creates the tag of type %o with the value %o as %o [S3-015]', (given, value, expected) => {
  expect(toTag(given, value)).toEqual(expected);
});

test('suggests values of the same type that the toggle does not have', () => {
  const known = [
    { type: 'simple', value: 'q4' },
    { type: 'simple', value: 'a/b' },
    { type: 'team', value: 'search' },
  ];
  expect(suggestTagValues(known, [{ type: 'simple', value: 'q4' }], 'simple')).toEqual(['a/b']);
  expect(suggestTagValues(known, [{ type: 'simple', value: 'search' }], 'team')).toEqual(['search']);
});

test.each([
  [' ', 'Enter a value.'],
  ['.', 'Enter a value other than "." and "..".'],
  [' .. ', 'Enter a value other than "." and "..".'],
  ['a/..', 'Enter a value other than "." and "..".'],
  ['a\\b', 'Enter a value without backslashes, control characters and codes such as %2F.'],
  ['a\u007fb', 'Enter a value without backslashes, control characters and codes such as %2F.'],
  ['%a7', 'Enter a value without backslashes, control characters and codes such as %2F.'],
  ['...', undefined],
  ['a/b', undefined],
  ['100 %', undefined],
])('validates the tag value %o: %s', (value, expected) => {
  expect(validateTagValue(value)).toBe(expected);
});
