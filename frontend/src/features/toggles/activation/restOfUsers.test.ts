import { expect, test } from 'vitest';
import type { AudienceRule } from '@/domain/strategies/audience';
import { describeRest } from './restOfUsers';

const always: AudienceRule = { name: 'default' };
const users: AudienceRule = { name: 'userWithId', parameters: { userIds: 'ada' } };
const rollout = (percent: string): AudienceRule => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default' },
});
const inRegion = { constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] };

test.each<[string, boolean, AudienceRule[]]>([
  ['Everyone else: off', true, [users, rollout('99')]],
  ['Everyone else: off', true, [users, { name: 'own' }]],
  ['Everyone else: off', true, [users, { ...always, ...inRegion }]],
  ['Everyone else: off', true, [users, { ...always, disabled: true }]],
  ['Everyone: off, all strategies are disabled', true, [{ ...always, disabled: true }]],
  ['Everyone: on, there are no strategies', true, []],
  ['No one else, strategy 1 is on for everyone', true, [always, users]],
  ['No one else, strategy 2 is on for everyone', true, [users, rollout('100')]],
])('"%s", enabled: %s, with %j', (expected, enabled, strategies) => {
  const { subject, result, reason } = describeRest({ enabled, strategies }) ?? {};
  expect([`${subject}${result ? `: ${result}` : ''}`, ...(reason ? [reason] : [])].join(', ')).toBe(expected);
});

test.each<[boolean, AudienceRule[]]>([
  [false, []],
  [false, [users, always]],
  [true, [users]],
  [true, [always]],
])('says nothing that the switch or the only strategy says: enabled: %s, with %j', (enabled, strategies) => {
  expect(describeRest({ enabled, strategies })).toBeUndefined();
});
