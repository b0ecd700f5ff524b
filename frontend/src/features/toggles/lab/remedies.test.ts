import { expect, test } from 'vitest';
import type { ConstraintReason, RuleReason, Strategy, StrategyReason } from '@/api/generated/types';
import { applyRemedy, explainStrategy, getDecidingFields } from './remedies';

const rollout: Strategy = {
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
};
const users: Strategy = { name: 'userWithId', parameters: { userIds: 'anna, bo,carla' } };
const bucket = (at: number): RuleReason => ({
  code: 'bucket',
  field: 'userId',
  value: '4711',
  group: 'g',
  bucket: at,
  percentage: 50,
});
const reason = (rule: RuleReason, more: Partial<StrategyReason> = {}): StrategyReason => ({
  name: 's',
  result: 'off',
  disabled: false,
  rule,
  constraints: [],
  segments: [],
  ...more,
});
const constrained = (constraint: object): Strategy => ({
  ...rollout,
  constraints: [{ contextName: 'region', operator: 'IN', values: ['eu', 'us'], ...constraint }],
});
const asia: ConstraintReason = { field: 'region', value: 'asia', matches: false };
const notListed: RuleReason = { code: 'notListed', value: '4711' };

/** Conditions as text: a mark, the sentence, and the remedy in brackets. */
function explain(strategy: Strategy, given: StrategyReason, canEnable = false): string[] {
  return explainStrategy(strategy, given, { canEnable, locale: 'en' }).map(
    ({ matches, text, required, remedy }) =>
      `${matches ? '✓' : '✕'} ${text}${required ? `; required: ${required}` : ''}${remedy ? ` [${remedy.label}]` : ''}`,
  );
}

const WITHIN = '✓ 4711 is at 12 of 100, within the rollout of 50 %';

test.each<[string[], Strategy, StrategyReason]>([
  [['✕ 4711 is at 74 of 100, above the rollout of 50 % [Set 74 %]'], rollout, reason(bucket(74))],
  [[WITHIN], rollout, reason(bucket(12))],
  [['✕ 4711 is not listed [Add 4711]'], users, reason(notListed)],
  [['✕ a,b is not listed'], users, reason({ code: 'notListed', value: 'a,b' })],
  [['✕ userId is missing'], users, reason({ code: 'notListed' })],
  [
    ['✕ ::1 is in no listed network [Add ::1]'],
    { name: 'remoteAddress', parameters: { IPs: '' } },
    reason({ code: 'notInNetwork', value: '::1' }),
  ],
  [['✕ the strategy is disabled'], rollout, reason(bucket(12), { disabled: true })],
  [
    ['✕ region is asia; required: region is one of eu, us [Add asia]', WITHIN],
    constrained({}),
    reason(bucket(12), { constraints: [asia] }),
  ],
  [
    ['✕ region is asia; required: region is not asia [Remove asia]', WITHIN],
    constrained({ operator: 'NOT_IN', values: ['asia'] }),
    reason(bucket(12), { constraints: [asia] }),
  ],
  [
    ['✕ region is missing; required: region is one of eu, us', WITHIN],
    constrained({}),
    reason(bucket(12), { constraints: [{ field: 'region', matches: false }] }),
  ],
  [
    ['✕ region is asia; required: region is greater than 5', WITHIN],
    constrained({ operator: 'NUM_GT', values: [], value: '5' }),
    reason(bucket(12), { constraints: [asia] }),
  ],
  [
    ['✕ region is asia; the operator is unknown', WITHIN],
    constrained({ operator: 'GEO' }),
    reason(bucket(12), { constraints: [{ ...asia, problem: 'unknownOperator' }] }),
  ],
  [
    ['✓ region is eu'],
    { ...constrained({}), name: 'default' },
    reason({ code: 'always' }, { constraints: [{ field: 'region', value: 'eu', matches: true }] }),
  ],
  [
    ['✕ not in segment beta', '✓ in segment 2', WITHIN],
    rollout,
    reason(bucket(12), {
      segments: [
        { id: '1', name: 'beta', missing: false, matches: false, constraints: [] },
        { id: '2', missing: false, matches: true, constraints: [] },
      ],
    }),
  ],
])('explains %j', (expected, strategy, given) => {
  expect(explain(strategy, given)).toEqual(expected);
});

test('a disabled strategy can be enabled if the server has them', () => {
  expect(explain(rollout, reason(bucket(12), { disabled: true }), true)).toEqual([
    '✕ the strategy is disabled [Enable]',
  ]);
});

/** The strategy after its first remedy. */
function remedied(strategy: Strategy, given: StrategyReason): Strategy | undefined {
  const [remedy] = explainStrategy(strategy, given, { canEnable: true, locale: 'en' }).flatMap(
    (one) => one.remedy ?? [],
  );
  return remedy && applyRemedy(strategy, remedy);
}

test('a remedy edits what the reason names, and keeps everything else', () => {
  expect(remedied(rollout, reason(bucket(74)))).toEqual({
    ...rollout,
    parameters: { ...rollout.parameters, rollout: '74' },
  });
  expect(remedied(users, reason(notListed))).toEqual({ ...users, parameters: { userIds: 'anna,bo,carla,4711' } });
  const given = reason(bucket(12), { constraints: [asia] });
  const other = { contextName: 'plan', operator: 'IN', values: ['pro'] };
  const strategy = {
    ...constrained({ extra: 1 }),
    constraints: [...(constrained({ extra: 1 }).constraints ?? []), other],
  };
  expect(remedied(strategy, given)?.constraints).toEqual([
    { contextName: 'region', operator: 'IN', values: ['eu', 'us', 'asia'], extra: 1 },
    other,
  ]);
  expect(remedied(constrained({ operator: 'NOT_IN', values: ['asia', 'eu'] }), given)?.constraints).toEqual([
    { contextName: 'region', operator: 'NOT_IN', values: ['eu'] },
  ]);
  expect(remedied({ ...rollout, disabled: true }, reason(bucket(12), { disabled: true }))).toEqual({
    ...rollout,
    disabled: false,
  });
});

test('a remedy keeps what was edited since, and edits nothing that is gone', () => {
  const [add] = explainStrategy(users, reason(notListed), { canEnable: true, locale: 'en' });
  const edited = { ...users, parameters: { userIds: 'dora' } };
  expect(add?.remedy && applyRemedy(edited, add.remedy)).toEqual({ ...users, parameters: { userIds: 'dora,4711' } });
  expect(add?.remedy && applyRemedy(rollout, add.remedy)).toEqual(rollout);
  const given = reason(bucket(12), { constraints: [asia] });
  const [allow] = explainStrategy(constrained({}), given, { canEnable: true, locale: 'en' });
  const other = { contextName: 'plan', operator: 'IN' as const, values: ['pro'] };
  const moved = { ...rollout, constraints: [other, ...(constrained({}).constraints ?? [])] };
  expect(allow?.remedy && applyRemedy(moved, allow.remedy).constraints).toEqual([
    other,
    { contextName: 'region', operator: 'IN', values: ['eu', 'us', 'asia'] },
  ]);
  const replaced = { ...rollout, constraints: [other] };
  expect(allow?.remedy && applyRemedy(replaced, allow.remedy)).toEqual(replaced);
});

test('the fields of the strategies decide, in their order', () => {
  const sticky = (stickiness: string): Strategy => ({ name: 'flexibleRollout', parameters: { stickiness } });
  expect(getDecidingFields([constrained({}), users])).toEqual(['userId', 'region']);
  expect(getDecidingFields([sticky('tenant'), { name: 'gradualRolloutSessionId' }])).toEqual(['tenant', 'sessionId']);
  expect(getDecidingFields([sticky('random'), sticky('default'), { name: 'remoteAddress' }])).toEqual([
    'userId',
    'remoteAddress',
  ]);
  expect(getDecidingFields([{ name: 'default' }, { name: 'own' }, { name: 'gradualRolloutRandom' }])).toEqual([]);
});
