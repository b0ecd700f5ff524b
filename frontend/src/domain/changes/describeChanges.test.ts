import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { describeFieldChanges, describeToggleChanges } from './describeChanges';

const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g' },
  ...more,
});
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });
const inRegion = (...values: string[]) => ({ constraints: [{ contextName: 'region', operator: 'IN', values }] });

const overridden = (overrides: Record<string, string[]>) => ({
  name: 'a',
  weight: 1000,
  weightType: 'variable',
  overrides: Object.entries(overrides).map(([contextName, values]) => ({ contextName, values })),
});

const toggle = (more: object) => createToggle({ name: 'a.toggle', strategies: [], ...more });

const own = {
  name: 'own',
  editable: true,
  description: null,
  parameters: [
    { name: 'cities', type: 'list' as const, description: '', required: false },
    { name: 'share', type: 'percentage' as const, description: '', required: false },
  ],
};

test.each<[object, object, string[]]>([
  [{}, {}, []],
  [{}, { lastSeenAt: '2026-01-06T10:00:00.000Z', updatedAt: '2026-01-06T10:00:00.000Z' }, []],
  [{}, { enabled: false }, ['Toggle: switched off']],
  [{}, { description: 'x' }, ['Toggle: description set to “x”']],
  [{ description: 'x' }, {}, ['Toggle: description “x” cleared']],
  [{}, { odd: 0 }, ['Toggle: odd set to 0']],
  [{ strategies: [rollout('25')] }, { strategies: [rollout('50')] }, ['flexibleRollout: rollout 25 → 50 %']],
  [
    { strategies: [users('a,b,c')] },
    { strategies: [users('d,e,f,g,h,i,j')] },
    ['userWithId: userIds: + d, + e, + f, + g, + h and 2 more, − a, − b, − c'],
  ],
  [{ strategies: [users('a,b')] }, { strategies: [users('b,a')] }, ['userWithId: userIds: new order b, a']],
  [
    { strategies: [{ name: 'own', parameters: { cities: 'Oslo', share: '5', note: 'a' } }] },
    { strategies: [{ name: 'own', parameters: { cities: 'Oslo,Rome', share: '6', note: 'b' } }] },
    ['own: cities: + Rome; note “a” → “b”; share 5 → 6 %'],
  ],
  [
    { strategies: [users('a')] },
    { strategies: [users('a'), rollout('5')] },
    ['flexibleRollout: added: 5 % of users, group g'],
  ],
  [
    { strategies: [users('a'), rollout('5')] },
    { strategies: [users('a')] },
    ['flexibleRollout: removed: 5 % of users, group g'],
  ],
  [
    { strategies: [users('a')] },
    { strategies: [users('a'), rollout('5', inRegion('eu', 'us'))] },
    ['flexibleRollout: added: 5 % of users where region is one of eu, us, group g'],
  ],
  [
    { strategies: [rollout('5'), users('a')] },
    { strategies: [users('a'), rollout('5')] },
    ['Order: now userWithId, flexibleRollout'],
  ],
  [
    { strategies: [rollout('5'), rollout('50')] },
    { strategies: [rollout('5'), rollout('60')] },
    ['flexibleRollout (2 of 2): rollout 50 → 60 %'],
  ],
  [
    { strategies: [rollout('5')] },
    { strategies: [rollout('5', inRegion('eu'))] },
    ['flexibleRollout: constraint added: region is eu'],
  ],
  [
    { strategies: [rollout('5', inRegion('eu'))] },
    { strategies: [rollout('5', inRegion('us', 'asia'))] },
    ['flexibleRollout: region is one of: + us, + asia, − eu'],
  ],
  [
    { strategies: [rollout('5', inRegion('eu'))] },
    { strategies: [rollout('5')] },
    ['flexibleRollout: constraint removed: region is eu'],
  ],
  [
    { variants: [{ name: 'a', weight: 1000, weightType: 'variable' }] },
    {
      variants: [
        { name: 'a', weight: 333, weightType: 'variable' },
        { name: 'b', weight: 667, weightType: 'fix' },
      ],
    },
    ['Variant a: weight 100 → 33.3 %', 'Variant b: added: 66.7 %'],
  ],
  [
    { variants: [{ name: 'a', weight: 1000, weightType: 'variable', payload: { type: 'string', value: 'x' } }] },
    { variants: [] },
    ['Variant a: removed'],
  ],
  [
    { variants: [overridden({ userId: ['ada', 'bob'], appName: ['web'] })] },
    { variants: [overridden({ userId: ['bob', 'eve'], country: ['no'] })] },
    ['Variant a: override userId: + eve, − ada; override appName: − web; override country: + no'],
  ],
  [
    {},
    { variants: [{ ...overridden({ userId: ['ada'] }), payload: { type: 'string', value: 'x' } }] },
    ['Variant a: added: 100 %; payload set to {"type":"string","value":"x"}; override userId: + ada'],
  ],
  [
    { strategies: [rollout('5', inRegion('eu'))] },
    { strategies: [rollout('5', { constraints: [{ ...inRegion('eu').constraints[0], inverted: true }] })] },
    ['flexibleRollout: region is one of: inverted set to yes'],
  ],
  [
    { strategies: [rollout('', { title: 'old', sortOrder: 0, disabled: true })] },
    { strategies: [rollout('5', { title: 'new', sortOrder: 1, disabled: false, segments: [1, 9] })] },
    ['flexibleRollout: rollout 0 → 5 %; segments: + EU, + 9; disabled yes → no; title “old” → “new”'],
  ],
  [
    { strategies: [rollout('5', { id: '1' }), rollout('50', { id: '2' })] },
    { strategies: [rollout('5', { id: '2' }), rollout('5', { id: '1' })] },
    ['flexibleRollout (1 of 2): rollout 50 → 5 %', 'Order: now flexibleRollout, flexibleRollout'],
  ],
  [
    { strategies: [rollout('5', { variants: [{ name: 'red', weight: 1000 }] })] },
    {
      strategies: [
        rollout('5', {
          variants: [
            { name: 'red', weight: 500 },
            { name: 'blue', weight: 500 },
          ],
        }),
      ],
    },
    ['flexibleRollout: variants: + blue, red changed'],
  ],
  [
    { strategies: [rollout('5', { constraints: [{ contextName: 'a', operator: 'SEMVER_GT', value: '1.0.0' }] })] },
    { strategies: [rollout('5', { constraints: [{ contextName: 'a', operator: 'SEMVER_GT', value: '2.0.0' }] })] },
    ['flexibleRollout: a is above version: value “1.0.0” → “2.0.0”'],
  ],
  [
    { variants: [{ ...overridden({ userId: ['ada'], appName: ['web'] }), payload: { type: 'string', value: 'x' } }] },
    { variants: [{ ...overridden({ appName: ['web'], userId: ['ada'] }), weightType: 'fix' }] },
    [
      'Variant a: payload {"type":"string","value":"x"} cleared; weightType “variable” → “fix”; overrides: new order appName, userId',
    ],
  ],
  [
    { tags: [{ type: 'simple', value: 'shop' }] },
    { tags: [{ type: 'team', value: 'shop' }] },
    ['Toggle: tags: + team: shop, − simple: shop'],
  ],
])('describes %j to %j as %j', (before, after, expected) => {
  const segmentName = (id: number) => (id === 1 ? 'EU' : `${id}`);
  const words = describeToggleChanges(toggle(before), toggle(after), { definitions: [own], segmentName });
  expect(words.map(({ subject, changes }) => `${subject}: ${changes.join('; ')}`.replaceAll('\u00a0', ' '))).toEqual(
    expected,
  );
});

test.each<[string, object, object, string[]]>([
  [
    'field by field',
    { description: 'Where', stickiness: true },
    { description: '', stickiness: false },
    ['description “Where” cleared', 'stickiness yes → no'],
  ],
  [
    'added, removed and changed items of a list',
    { parameters: [{ name: 'share', required: false }, { name: 'regions' }] },
    { parameters: [{ name: 'share', required: true }, { name: 'zone' }] },
    ['parameters: + zone, − regions, share changed'],
  ],
  [
    'the first items of a long list, and a count',
    {},
    { legalValues: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    ['legalValues: + a, + b, + c, + d, + e and 2 more'],
  ],
  ['an absent list that became empty, as no change', {}, { legalValues: [] }, []],
  [
    'a list in another order',
    { legalValues: ['b', 'a'] },
    { legalValues: ['a', 'b'] },
    ['legalValues: new order a, b'],
  ],
  ['no field that the server maintains', { icon: 'T' }, { icon: 'X', createdAt: '2026' }, ['icon “T” → “X”']],
])('describes the changes of other items: %s', (_, before, after, expected) => {
  const changes = describeFieldChanges(before, after).map((change) => change.replaceAll('\u00a0', ' '));
  expect(changes).toEqual(expected);
});
