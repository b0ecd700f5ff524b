import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { describeHalves } from './describeHalves';

const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
  ...more,
});
const users = (userIds: string, more: object = {}): Strategy => ({
  name: 'userWithId',
  parameters: { userIds },
  ...more,
});
const region = { constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] };

test.each<[string | undefined, Strategy[], Strategy[], boolean?]>([
  ['New: 7. No longer: 45 % of users.', [rollout('45')], [users('7')]],
  ['New: 7, 8. No longer: ada.', [users('ada,bo')], [users('bo,7,8')]],
  ['No longer: 45 % of users; 7.', [rollout('45'), users('7')], [{ name: 'own' }], false],
  ['New: a, b, c and 1 more.', [rollout('45')], [rollout('45'), users('a,b,c,d')]],
  ['New: 1 user (7) where region is eu.', [rollout('45')], [rollout('45'), users('7', region)]],
  ['No longer: 45 % of users.', [rollout('45'), users('7')], [rollout('45', { disabled: true }), users('7')]],
  ['No longer: 7.', [users('7')], [users('7')], false],
  // The changed words of a rule are in the list of changes.
  [undefined, [rollout('45')], [rollout('50', region)]],
])('%s', (expected, before, after, enabled = true) => {
  const toggle = createToggle({ name: 'shop.basket', strategies: before });
  const result = describeHalves(toggle, { ...toggle, strategies: after, enabled }, String);
  expect(result?.replaceAll('\u00a0', ' ')).toBe(expected);
});
