import { expect, test } from 'vitest';
import type { StrategyDefinition } from '@/api/generated/types';
import { groupStrategies } from './AddStrategyMenu';

const definition = (name: string, description: string | null = null): StrategyDefinition => ({
  name,
  description,
  editable: false,
  parameters: [],
});
const definitions = [
  definition('applicationHostname', 'On for hosts'),
  definition('byRegion', 'In some regions'),
  definition('default', 'On for everyone'),
  definition('flexibleRollout', 'On for a percentage of users'),
  definition('gradualRolloutRandom', 'On for a percentage of requests'),
  definition('gradualRolloutCity'),
  definition('userWithId'),
];
const grouped = (filter?: string) =>
  groupStrategies(definitions, filter).map(({ label, definitions: all }) => [label, ...all.map(({ name }) => name)]);

test.each<[string | undefined, string[][]]>([
  [
    undefined,
    [
      ['Common', 'flexibleRollout', 'userWithId', 'default'],
      ['More', 'applicationHostname', 'byRegion', 'gradualRolloutCity'],
      ['Older', 'gradualRolloutRandom'],
    ],
  ],
  [
    ' ROLLOUT ',
    [
      ['Common', 'flexibleRollout'],
      ['More', 'gradualRolloutCity'],
      ['Older', 'gradualRolloutRandom'],
    ],
  ],
  ['regions', [['More', 'byRegion']]],
  ['nothing', []],
])('the filter %j shows the groups %j', (filter, expected) => {
  expect(grouped(filter)).toEqual(expected);
});
