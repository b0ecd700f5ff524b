import { expect, test } from 'vitest';
import type { ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import { describeDefinitionChanges } from './DefinitionConflict';

const regions: ParameterDefinition = { name: 'regions', type: 'list', description: '', required: false };
const share: ParameterDefinition = { name: 'share', type: 'percentage', description: 'Of orders', required: true };
const definition = (more: Partial<StrategyDefinition>): StrategyDefinition => ({
  name: 'byRegion',
  description: '',
  editable: true,
  deprecated: false,
  parameters: [],
  ...more,
});

test.each<[Partial<StrategyDefinition>, Partial<StrategyDefinition>, string[]]>([
  [{}, {}, []],
  [{ description: 'a' }, { description: 'b' }, ['description “a” → “b”']],
  [{}, { parameters: [share] }, ['parameter share added: percentage, required, “Of orders”']],
  [{ parameters: [regions] }, {}, ['parameter regions removed']],
  [
    { parameters: [regions] },
    { parameters: [{ ...regions, type: 'string', required: true }] },
    ['parameter regions: required no → yes', 'parameter regions: type “list” → “string”'],
  ],
  [{ parameters: [regions, share] }, { parameters: [share, regions] }, ['parameters: new order share, regions']],
])('describes the change from %j to %j as %j', (before, after, expected) => {
  expect(describeDefinitionChanges(definition(before), definition(after), ['description', 'parameters'])).toEqual(
    expected,
  );
});

test('describes only the given fields', () => {
  const after = definition({ description: 'b', parameters: [regions] });
  expect(describeDefinitionChanges(definition({}), after, ['description'])).toEqual(['description set to “b”']);
});
