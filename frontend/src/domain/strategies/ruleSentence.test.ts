import { expect, test } from 'vitest';
import { describeRule, getOmittedParameters, getRuleParts, type Rule } from './ruleSentence';

const inRegion = { contextName: 'region', operator: 'IN', values: ['Nordics'] };
const notInPlan = { contextName: 'plan', operator: 'NOT_IN', values: ['free', 'trial'] };
const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index + 1}`).join(',');
const rollout = (parameters: Record<string, string>, more: object = {}): Rule => ({
  name: 'flexibleRollout',
  parameters,
  ...more,
});

test.each<[string, Rule]>([
  ['everyone', { name: 'default' }],
  ['everyone', { name: 'default', parameters: {}, constraints: [] }],
  ['everyone where region is Nordics', { name: 'default', constraints: [inRegion] }],
  ['everyone in segment 7', { name: 'default', segments: [7] }],
  ['25 % of users', rollout({ rollout: '25', stickiness: 'default', groupId: 'g' })],
  ['25 % of users', rollout({ rollout: '25' })],
  ['0 % of users', rollout({ rollout: '' })],
  [
    '25 % of users where region is Nordics, sticky on userId',
    rollout({ rollout: '25', stickiness: 'userId' }, { constraints: [inRegion] }),
  ],
  [
    '25 % of users where region is Nordics and plan is not one of free, trial',
    rollout({ rollout: '25', stickiness: 'default' }, { constraints: [inRegion, notInPlan] }),
  ],
  ['80 % of sessions', rollout({ rollout: '80', stickiness: 'sessionId' })],
  ['5 % of requests, at random', rollout({ rollout: '5', stickiness: 'random' })],
  ['5 % of users, sticky on tenant', rollout({ rollout: '5', stickiness: 'tenant' })],
  ['5 % of users, sticky on constructor', rollout({ rollout: '5', stickiness: 'constructor' })],
  ['25 % of users', { name: 'gradualRolloutUserId', parameters: { percentage: '25' } }],
  ['25 % of sessions', { name: 'gradualRolloutSessionId', parameters: { percentage: '25' } }],
  ['25 % of requests, at random', { name: 'gradualRolloutRandom', parameters: { percentage: '25' } }],
  ['no users', { name: 'userWithId' }],
  ['1 user: ada', { name: 'userWithId', parameters: { userIds: ' ada, ada,' } }],
  ['3 users: u1, u2, u3', { name: 'userWithId', parameters: { userIds: users(3) } }],
  ['7 users: u1, u2, u3, u4, u5 and 2 more', { name: 'userWithId', parameters: { userIds: users(7) } }],
  [
    '1 user (ada) where region is Nordics',
    { name: 'userWithId', parameters: { userIds: 'ada' }, constraints: [inRegion] },
  ],
  ['1 host: web', { name: 'applicationHostname', parameters: { hostNames: 'web' } }],
  ['2 addresses: ::1, 10.0.0.0/8', { name: 'remoteAddress', parameters: { IPs: '::1,10.0.0.0/8' } }],
  ['users selected by byCity', { name: 'byCity' }],
  ['users selected by byCity', { name: 'byCity', parameters: { city: ' ' } }],
  [
    'byCity: city Oslo, radius 5 where region is Nordics',
    { name: 'byCity', parameters: { city: 'Oslo', note: '', radius: '5' }, constraints: [inRegion] },
  ],
  ['users selected by constructor', { name: 'constructor' }],
  [
    'openingHours: from 8, no holidays, open, 60 %, until 18',
    {
      name: 'openingHours',
      parameters: { from: '8', until: '18', holidays: 'false', open: 'true', percentage: '60' },
    },
  ],
  [
    '25 % of users in segments 1 and 2 where region is Nordics',
    rollout({ rollout: '25' }, { segments: [1, 2], constraints: [inRegion] }),
  ],
  ['everyone (disabled)', { name: 'default', disabled: true }],
  ['25 % of users, with variant blue', rollout({ rollout: '25' }, { variants: [{ name: 'blue' }] })],
  [
    '25 % of users, with variants blue and red (disabled)',
    rollout({ rollout: '25' }, { variants: [{ name: 'blue' }, { name: 'red' }], disabled: true }),
  ],
])('describes a rule as "%s"', (expected, rule) => {
  expect(describeRule(rule)).toBe(expected);
});

test('names a group that differs from the name of the toggle, and segments by their names', () => {
  const rule = rollout({ rollout: '25', groupId: 'shop' }, { segments: [7] });
  const describe = (toggleName: string) => describeRule(rule, { toggleName, segmentName: (id) => `beta-${id}` });
  expect(describe('shop')).toBe('25 % of users in segment beta-7');
  expect(describe('shop.basket')).toBe('25 % of users in segment beta-7, group shop');
});

test.each<[string, Rule, string[]]>([
  ['all parameters', rollout({ rollout: '25', stickiness: 'userId', groupId: 'shop' }), []],
  ['not the group of the toggle', rollout({ rollout: '25', groupId: 'shop.basket' }), ['groupId']],
  ['not the default stickiness', rollout({ rollout: '25', stickiness: 'default' }), ['stickiness']],
  ['few users', { name: 'userWithId', parameters: { userIds: users(5) } }, []],
  ['not all users', { name: 'userWithId', parameters: { userIds: users(6) } }, ['userIds']],
  ['not empty parameters', { name: 'byRegion', parameters: { regions: 'Benelux,Nordics', share: '' } }, ['share']],
])('a sentence contains %s', (_, rule, omitted) => {
  expect(getOmittedParameters(rule, { toggleName: 'shop.basket' }).map(([name]) => name)).toEqual(omitted);
});

test('separates the entries of lists of custom strategies, but not the digits of numbers', () => {
  const rule: Rule = { name: 'byRegion', parameters: { regions: 'Benelux,Nordics', orders: '1,000' } };
  expect(describeRule(rule)).toBe('byRegion: orders 1,000, regions Benelux or Nordics');
});

test('shows all values on request', () => {
  const rule: Rule = { name: 'userWithId', parameters: { userIds: users(6) } };
  expect(describeRule(rule, { maxValues: Number.POSITIVE_INFINITY })).toBe('6 users: u1, u2, u3, u4, u5, u6');
});

test('the parts name the fields that they come from', () => {
  const rule = rollout(
    { rollout: '25', stickiness: 'userId', groupId: 'g' },
    { constraints: [inRegion, notInPlan], segments: [3] },
  );
  const fields = getRuleParts(rule, { toggleName: 'a' }).flatMap((part) => {
    if (part.kind === 'words' || part.kind === 'name' || part.kind === 'schedule') return [];
    if (part.kind === 'segments') return 'segments';
    return part.kind === 'parameter' ? [part.parameter] : [`constraint ${part.index}`];
  });
  expect(fields).toEqual(['rollout', 'segments', 'constraint 0', 'constraint 1', 'stickiness', 'groupId']);
});
