import { expect, test } from 'vitest';
import { duplicateValueError, fieldErrors, fieldInput, sortFields, toField } from './rules';

const input = { ...fieldInput(), name: 'region', legalValues: ['eu', 'North, Pole'] };

test.each([
  ['eu', 'Duplicate legal value'],
  [' eu ', 'Duplicate legal value'],
  ['us', undefined],
  ['Pole', undefined],
])('%o beside eu and "North, Pole" [S5-025]', (value, message) => {
  expect(duplicateValueError(input.legalValues, value)).toBe(message);
});

test.each([
  ['a name and a place', {}, {}],
  ['no name', { name: '' }, { name: expect.any(String) }],
  ['no place', { sortOrder: '' }, { sortOrder: expect.any(String) }],
  ['half a place', { sortOrder: '1.5' }, { sortOrder: expect.any(String) }],
  ['the first place', { sortOrder: '-1' }, {}],
  ['a value that is there', { legalValue: 'eu' }, { legalValue: 'Duplicate legal value' }],
])('what is wrong with %s', (_what, edit, errors) => {
  const found = Object.entries(fieldErrors({ ...input, ...edit })).filter(([, message]) => message !== undefined);
  expect(Object.fromEntries(found)).toEqual(errors);
});

test('what was typed and not added is sent as well, spaces around it are not [S3-019]', () => {
  expect(toField({ ...input, description: ' Where ', legalValue: ' us ', sortOrder: ' 3 ' })).toEqual({
    name: 'region',
    description: 'Where',
    legalValues: ['eu', 'North, Pole', 'us'],
    stickiness: false,
    sortOrder: 3,
  });
});

test('fields are listed by their place, then by name', () => {
  const field = (name: string, sortOrder: number) => ({ name, description: null, sortOrder });
  expect(sortFields([field('b', 2), field('c', 1), field('a', 2)]).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
});
