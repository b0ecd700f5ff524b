import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { createToggle } from '@/testing/flagService';
import { describeAudience } from './describeAudience';

const rollout = (percent: string, more: Partial<Strategy> = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: 'g' },
  ...more,
});
const users: Strategy = { name: 'userWithId', parameters: { userIds: 'ada,bob,eve' } };
const constraints = [{ contextName: 'region', operator: 'IN', values: ['a', 'b', 'c'] }];

test.each<[string, Omit<Partial<NewerToggle>, 'name'>]>([
  ['50 % of users + 3 users', { strategies: [rollout('50'), users] }],
  [
    '3 users where region is one of a, b and 1 more + 5 % of users in 1 segment + 1 more',
    { strategies: [{ ...users, constraints }, rollout('5', { segments: [7] }), users] },
  ],
  ['5 % of users', { strategies: [rollout('5'), { ...users, disabled: true }] }],
  ['users selected by own', { strategies: [{ name: 'own', parameters: { a: 'b' } }] }],
  [
    '50 % of users in eu, us where region is eu',
    {
      strategies: [
        rollout('50', {
          constraints: [
            { contextName: 'region', operator: 'IN', values: ['eu'] },
            { contextName: 'environment', operator: 'IN', values: ['eu', 'us'] },
          ],
        }),
      ],
    },
  ],
  ['everyone', { strategies: [rollout('5'), { name: 'default' }] }],
  ['when on: everyone', { enabled: false, strategies: [{ name: 'default' }] }],
  ['', { enabled: false, strategies: [] }],
  ['no one: all strategies are disabled', { strategies: [{ ...users, disabled: true }] }],
  ['', { strategies: [] }],
  ['', { strategies: [], strategiesKnown: false }],
])('describes the audience “%s”', (expected, toggle) => {
  expect(describeAudience(createToggle({ name: 'shop.basket', ...toggle })).replaceAll('\u00a0', ' ')).toBe(expected);
});
