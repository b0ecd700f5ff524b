import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { summariseToggleChanges } from './summariseChanges';

const users = { name: 'userWithId', parameters: { userIds: 'ada' } };
const rollout = (percent: string) => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
const variants = (...weights: number[]) => weights.map((weight, at) => ({ name: `v${at}`, weight, weightType: 'fix' }));

const toggle = (more: object) =>
  ({
    name: 'a',
    description: '',
    type: 'release',
    enabled: true,
    stale: false,
    strategies: [users],
    ...more,
  }) as unknown as Toggle;

test.each<[object, object, string | undefined]>([
  [{}, { lastSeenAt: '2026-01-05T10:00:00.000Z' }, undefined],
  [{}, { enabled: false }, 'switched the toggle off'],
  [{}, { stale: true }, 'marked the toggle as stale'],
  [{}, { project: 'mobile' }, 'moved the toggle to the project mobile'],
  [{}, { type: 'experiment' }, 'changed the type to experiment'],
  [{}, { description: 'Large', enabled: false }, 'switched the toggle off and changed the description'],
  [{}, { strategies: [users, rollout('25')] }, 'added flexibleRollout: 25 % of users'],
  [{}, { strategies: [rollout('25')] }, 'added flexibleRollout: 25 % of users and removed userWithId: 1 user: ada'],
  [{ strategies: [rollout('25')] }, { strategies: [rollout('50')] }, 'changed flexibleRollout: rollout 25 → 50 %'],
  [{ strategies: [users, rollout('5')] }, { strategies: [rollout('5'), users] }, 'reordered the strategies'],
  [{ variants: variants(1000) }, { variants: [] }, 'removed the variant v0'],
  [{ variants: variants(1000) }, { variants: variants(500, 500) }, 'changed the variants'],
  [
    {},
    { type: 'experiment', stale: true, enabled: false, description: 'Large' },
    'switched the toggle off, marked the toggle as stale and made 2 more changes',
  ],
])('summarises %j to %j as %j', (before, after, expected) => {
  expect(summariseToggleChanges(toggle(before), toggle({ ...before, ...after }))).toBe(expected);
});
