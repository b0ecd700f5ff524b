import { expect, test } from 'vitest';
import { contextFieldForm, duplicateValueError, sortFields } from './rules';

const { toInput, toItem, validate } = contextFieldForm;
const input = { ...toInput(), name: 'region', legalValues: ['eu', 'North, Pole'] };

test.each([
  ['eu', 'Duplicate legal value'],
  [' eu ', 'Duplicate legal value'],
  ['us', undefined],
  ['Pole', undefined],
])('adding %o to eu and "North, Pole" [S5-025]', (value, message) => {
  expect(duplicateValueError(input.legalValues, value)).toBe(message);
});

test.each([
  ['valid input', {}, {}],
  ['no name', { name: '' }, { name: expect.any(String) }],
  ['no sort order', { sortOrder: '' }, { sortOrder: expect.any(String) }],
  ['a fraction as sort order', { sortOrder: '1.5' }, { sortOrder: expect.any(String) }],
  ['a negative sort order', { sortOrder: '-1' }, {}],
  ['an existing value', { legalValue: 'eu' }, { legalValue: 'Duplicate legal value' }],
])('validates %s', (_, edit, errors) => {
  const found = Object.entries(validate({ ...input, ...edit })).filter(([, message]) => message !== undefined);
  expect(Object.fromEntries(found)).toEqual(errors);
});

test('a typed value that was not added is sent too, trimmed [S3-019]', () => {
  expect(toItem({ ...input, description: ' Where ', legalValue: ' us ', sortOrder: ' 3 ' })).toEqual({
    name: 'region',
    description: 'Where',
    legalValues: ['eu', 'North, Pole', 'us'],
    stickiness: false,
    sortOrder: 3,
  });
});

test('sorts fields by sort order, then by name', () => {
  const field = (name: string, sortOrder: number) => ({ name, description: null, sortOrder });
  expect(sortFields([field('b', 2), field('c', 1), field('a', 2)]).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
});
