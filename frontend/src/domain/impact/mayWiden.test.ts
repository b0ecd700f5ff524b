import { expect, test } from 'vitest';
import type { AudienceRule } from '@/domain/strategies/audience';
import { mayWiden } from './mayWiden';

const always = { name: 'default', parameters: {} };
const rollout = (percent: number, more: Partial<AudienceRule> = {}): AudienceRule => ({
  name: 'flexibleRollout',
  parameters: { rollout: `${percent}`, stickiness: 'userId', groupId: 'basket' },
  ...more,
});
const users = (...ids: string[]) => ({ name: 'userWithId', parameters: { userIds: ids.join() } });
const within = (operator: string, ...values: string[]) => ({
  constraints: [{ contextName: 'region', operator, values }],
});

test.each<[string, boolean, AudienceRule[], AudienceRule[]]>([
  ['a larger percentage', true, [rollout(25)], [rollout(50)]],
  ['a smaller percentage', false, [rollout(50)], [rollout(25)]],
  ['another group', true, [rollout(50)], [rollout(50, { parameters: { rollout: '50', groupId: 'other' } })]],
  ['a new user', true, [users('ada')], [users('ada', 'grace')]],
  ['a removed user', false, [users('ada', 'grace')], [users('ada')]],
  ['a new strategy', true, [users('ada')], [users('ada'), rollout(1)]],
  ['a removed strategy', false, [users('ada'), rollout(1)], [rollout(1)]],
  ['a new constraint', false, [rollout(50)], [rollout(50, within('IN', 'eu'))]],
  ['a removed constraint', true, [rollout(50, within('IN', 'eu'))], [rollout(50)]],
  ['a new value of IN', true, [rollout(50, within('IN', 'eu'))], [rollout(50, within('IN', 'eu', 'us'))]],
  ['a removed value of IN', false, [rollout(50, within('IN', 'eu', 'us'))], [rollout(50, within('IN', 'eu'))]],
  ['a new value of NOT_IN', false, [rollout(50, within('NOT_IN', 'eu'))], [rollout(50, within('NOT_IN', 'eu', 'us'))]],
  [
    'a removed value of NOT_IN',
    true,
    [rollout(50, within('NOT_IN', 'eu', 'us'))],
    [rollout(50, within('NOT_IN', 'eu'))],
  ],
  ['a removed segment', true, [rollout(50, { segments: [1, 2] })], [rollout(50, { segments: [1] })]],
  ['a strategy beside one for everyone', false, [always], [always, rollout(50)]],
  ['another strategy instead of one for everyone', false, [always], [users('ada')]],
  ['a strategy that is enabled', true, [rollout(50, { disabled: true })], [rollout(50)]],
  ['a strategy that is disabled', false, [rollout(50)], [rollout(50, { disabled: true })]],
])('%s may turn the feature on for more users: %s', (_, expected, before, after) => {
  expect(mayWiden(before, after)).toBe(expected);
});
