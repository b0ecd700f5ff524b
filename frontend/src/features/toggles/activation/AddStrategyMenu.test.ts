import { expect, test } from 'vitest';
import type { ContextField, StrategyDefinition } from '@/api/generated/types';
import { listStrategyChoices } from './AddStrategyMenu';

const definition = (name: string, more: Partial<StrategyDefinition> = {}): StrategyDefinition => ({
  name,
  description: null,
  editable: false,
  parameters: [],
  ...more,
});
const definitions = [
  definition('applicationHostname', { description: 'On for hosts' }),
  definition('byRegion', { description: 'In some regions' }),
  definition('default', { description: 'On for everyone' }),
  definition('flexibleRollout', { description: 'On for a percentage of users' }),
  definition('gradualRolloutRandom'),
  definition('gradualRolloutCity'),
  definition('old', { deprecated: true }),
  definition('userWithId', {
    parameters: [{ name: 'userIds', type: 'list', description: '', required: false }],
  }),
];
const userId = { name: 'userId' } as ContextField;
const list = (filter?: string, offered = definitions, context: ContextField[] = []) =>
  listStrategyChoices({ definitions: offered, context, toggleName: 'shop.basket' }, filter);
const names = (filter?: string) => list(filter).map(({ label, detail = '' }) => `${label} ${detail}`.trim());

test.each<[string | undefined, string[]]>([
  [
    undefined,
    [
      'Gradual rollout flexibleRollout',
      'Named users userWithId',
      'Everyone default',
      'Hosts applicationHostname',
      'byRegion',
      'gradualRolloutCity',
      'Gradual rollout at random gradualRolloutRandom',
    ],
  ],
  [
    ' ROLLOUT ',
    ['Gradual rollout flexibleRollout', 'gradualRolloutCity', 'Gradual rollout at random gradualRolloutRandom'],
  ],
  ['withid', ['Named users userWithId']],
  ['regions', ['byRegion']],
  ['nothing', []],
])('[S2-084] the filter %j shows %j', (filter, expected) => {
  expect(names(filter)).toEqual(expected);
});

test('named users are a list, or a constraint if the server has deprecated the list and has constraints', () => {
  const find = (offered: StrategyDefinition[], context: ContextField[]) =>
    list('named', offered, context).map(({ strategy }) => strategy);
  expect(find(definitions, [userId])).toEqual([{ name: 'userWithId', parameters: { userIds: '' } }]);
  const noList = definitions.map((one) => ({ ...one, deprecated: one.name === 'userWithId' }));
  const constraints = [{ contextName: 'userId', operator: 'IN', values: [] }];
  expect(find(noList, [userId])).toEqual([{ name: 'default', parameters: {}, constraints }]);
  expect(find(noList, [])).toEqual([]);
});
