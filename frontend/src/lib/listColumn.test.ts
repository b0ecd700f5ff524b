import { expect, test } from 'vitest';
import { type ListColumn, matchesColumns, searchedNames } from './listColumn';

interface Field {
  name: string;
  description?: string | null;
  values: readonly string[];
}

const columns: readonly ListColumn<Field>[] = [
  { header: 'Name', search: ({ name }) => name },
  { header: 'Description', search: ({ description }) => description },
  { header: 'Legal values', searchName: 'legal value', search: ({ values }) => values },
  { header: 'Age' },
];

const field: Field = { name: 'region', description: null, values: ['EU', 'US'] };

test.each([
  [/^region$/, true],
  [/^US$/, true],
  [/EU, US/, false],
  [/null/, false],
])('matches %s with the searched columns: %s', (pattern, expected) => {
  expect(matchesColumns(field, columns, (text) => pattern.test(text))).toBe(expected);
});

test('names the searched columns', () => {
  expect(searchedNames(columns)).toBe('name, description or legal value');
  expect(searchedNames(columns.slice(0, 1))).toBe('name');
});
