import { expect, test } from 'vitest';
import type { ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import { addRow, createInput, moveRow, removedParameters, rowErrors, toDefinitionDraft, toInput } from './definition';

const parameter = (name: string, more: object = {}): ParameterDefinition => ({
  name,
  type: 'string',
  description: '',
  required: false,
  ...more,
});

const stored: StrategyDefinition = {
  name: 'byRegion',
  editable: true,
  description: 'In some regions',
  parameters: [parameter('regions', { type: 'list', required: true }), parameter('share', { type: 'percentage' })],
};

const rowsOf = (...names: string[]) =>
  toInput({ ...stored, parameters: names.map((name) => parameter(name)) }).parameters;
const namesOf = (rows: ReturnType<typeof rowsOf>) => rows.map((row) => row.parameter.name);

test('a new parameter is an optional string without a name and description [S5-021] [S9-015]', () => {
  const [row] = addRow(createInput('').parameters);
  expect(row?.parameter).toEqual(parameter(''));
});

test('each new row has a unique key', () => {
  const rows = addRow(addRow(rowsOf('a', 'b').slice(1)));
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
});

test('white space is removed from a name in the URL [S5-023]', () => {
  expect(createInput(' by Region\t').name).toBe('byRegion');
});

test.each([
  [0, 1, ['b', 'a', 'c']],
  [2, 0, ['c', 'a', 'b']],
  [1, 1, ['a', 'b', 'c']],
  [3, 0, ['a', 'b', 'c']],
])('moves row %i to position %i', (from, to, expected) => {
  expect(namesOf(moveRow(rowsOf('a', 'b', 'c'), from, to))).toEqual(expected);
});

test.each([
  [['a', 'b'], []],
  [['a', 'a'], [1]],
  [
    ['a', ' a ', 'b', 'a'],
    [1, 3],
  ],
  [['', ''], []],
])('of the names %j these rows are duplicates: %j', (names, expected) => {
  expect([...rowErrors(rowsOf(...names)).keys()]).toEqual(expected);
});

test('rows without a name are not sent, and texts are trimmed [S5-020]', () => {
  const input = {
    name: 'byRegion',
    description: '  In some regions ',
    parameters: [parameter(' regions ', { description: ' Codes ' }), parameter('  '), parameter('')].map(
      (one, key) => ({ key, parameter: one }),
    ),
  };
  expect(toDefinitionDraft(input)).toEqual({
    name: 'byRegion',
    description: 'In some regions',
    parameters: [parameter('regions', { description: 'Codes' })],
  });
});

test('unknown fields of a parameter are kept', () => {
  const odd = JSON.parse('{"name": "area", "type": "polygon", "unit": "km", "description": null, "required": true}');
  const draft = toDefinitionDraft(toInput({ ...stored, parameters: [odd] }));
  expect(draft.parameters).toEqual([{ ...odd, description: '' }]);
});

test('missing fields have default values [S5-021]', () => {
  const bare = JSON.parse('{"name": "area"}');
  expect(toDefinitionDraft(toInput({ ...stored, parameters: [bare] })).parameters).toEqual([parameter('area')]);
});

test('finds removed and renamed parameters, but not moved ones', () => {
  const input = toInput(stored);
  expect(removedParameters(stored, { ...input, parameters: moveRow(input.parameters, 0, 1) })).toEqual([]);
  expect(removedParameters(stored, { ...input, parameters: input.parameters.slice(1) })).toEqual(['regions']);
  expect(removedParameters(stored, { ...input, parameters: rowsOf('regions', 'part') })).toEqual(['share']);
});
