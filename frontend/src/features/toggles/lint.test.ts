import { expect, test } from 'vitest';
import type { Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { lintToggle } from './lint';

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g' },
  ...more,
});
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });
const limited = (...values: string[]) => ({
  constraints: [{ contextName: 'region', operator: 'IN' as const, values }],
});

const definition = (name: string, more: Partial<StrategyDefinition> = {}): StrategyDefinition => ({
  name,
  editable: false,
  description: null,
  parameters: [],
  deprecated: false,
  ...more,
});
const definitions = [
  definition('default'),
  definition('flexibleRollout'),
  definition('gradualRolloutUserId', { deprecated: true }),
  definition('userWithId', { parameters: [{ name: 'userIds', type: 'list', description: '', required: false }] }),
  definition('byCity', {
    parameters: [
      { name: 'city', type: 'string', description: '', required: true },
      { name: 'limit', type: 'number', description: '', required: true },
      { name: 'share', type: 'percentage', description: '', required: true },
      { name: 'shops', type: 'list', description: '', required: true },
      { name: 'strict', type: 'boolean', description: '', required: true },
      { name: 'note', type: 'string', description: '', required: false },
    ],
  }),
];

test.each<[Strategy[], string[]]>([
  [[always], []],
  [[rollout('40'), users('ada')], []],
  [[always, rollout('40')], ['flexibleRollout makes no difference: default is on for everyone.']],
  [[rollout('100'), users('ada')], ['userWithId makes no difference: flexibleRollout is on for everyone.']],
  [[rollout('100', limited('eu')), users('ada')], ['flexibleRollout rolls out to 100 %: it leaves nobody out.']],
  [[{ ...always, ...limited('eu') }, users('ada')], []],
  [
    [{ name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'userId' } }, users('ada')],
    ['flexibleRollout rolls out to 100 %: it leaves nobody out.'],
  ],
  [
    [rollout('0'), always, users('ada')],
    [
      'flexibleRollout, userWithId make no difference: default is on for everyone.',
      'flexibleRollout rolls out to 0 %: it is on for nobody.',
    ],
  ],
  [[rollout('100')], ['flexibleRollout rolls out to 100 %: it leaves nobody out.']],
  [[rollout('0')], ['flexibleRollout rolls out to 0 %: it is on for nobody.']],
  [[rollout('')], ['flexibleRollout rolls out to 0 %: it is on for nobody.']],
  [[{ name: 'gradualRolloutUserId', parameters: { percentage: '20' } }], ['gradualRolloutUserId is deprecated.']],
  [[{ name: 'gone' }], ['gone does not exist on this server: no application is told what it means.']],
  [[users(' , ')], ['userWithId has an empty list userIds: it is on for nobody.']],
  [[{ name: 'byCity', parameters: { city: 'Oslo', limit: '0', share: '5', shops: 'a' } }], []],
  [
    [{ name: 'byCity', parameters: { city: ' ' } }],
    [
      'byCity has an empty list shops: it is on for nobody.',
      'byCity has no value for City, which it requires.',
      'byCity has no value for Limit, which it requires.',
      'byCity has no value for Share, which it requires.',
    ],
  ],
  [[rollout('40', limited())], ['flexibleRollout has a constraint on region without values.']],
  [[always, always], ['default (2 of 2) makes no difference: default (1 of 2) is on for everyone.']],
])('%j is noted with %j', (strategies, expected) => {
  const notes = lintToggle({ strategies, variants: [], enabled: true }, definitions);
  expect(notes).toEqual(expected);
});

test('as long as the definitions are not known, nothing is said about them', () => {
  expect(lintToggle({ strategies: [{ name: 'own' }], variants: [], enabled: true }, undefined)).toEqual([]);
  const notes = lintToggle({ strategies: [users('')], variants: [], enabled: true }, undefined);
  expect(notes).toEqual(['userWithId has an empty list userIds: it is on for nobody.']);
});

test('variants of a toggle that is off reach nobody', () => {
  const variants: Variant[] = [{ name: 'a', weight: 1000, weightType: 'variable' }];
  const lint = (enabled: boolean, some: Variant[] | null) =>
    lintToggle({ strategies: [always], variants: some, enabled }, definitions);
  expect(lint(false, variants)).toEqual(['The toggle is off, so nobody gets its variant.']);
  expect(lint(true, variants)).toEqual([]);
  expect(lint(false, null)).toEqual([]);
});
