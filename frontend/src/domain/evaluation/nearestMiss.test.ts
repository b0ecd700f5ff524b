import { expect, test } from 'vitest';
import type { RuleReason, StrategyReason } from '@/api/generated/types';
import { findNearestMiss } from './nearestMiss';

const bucket = (at: number, percentage: number): RuleReason => ({
  code: 'bucket',
  field: 'userId',
  value: '4711',
  group: 'g',
  bucket: at,
  percentage,
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
const constraint = (matches: boolean) => ({ field: 'region', value: 'eu', matches });
const notListed: RuleReason = { code: 'notListed', value: '4711' };

test.each<[string, number | undefined, StrategyReason[]]>([
  ['no strategies', undefined, []],
  ['a rollout that is missed by less', 1, [reason(bucket(74, 10)), reason(bucket(74, 50))]],
  ['a rollout rather than a list', 1, [reason(notListed), reason(bucket(99, 1))]],
  ['the first of equals', 0, [reason(notListed), reason(notListed)]],
  [
    'one condition rather than two',
    1,
    [
      reason(bucket(74, 50), { constraints: [constraint(false)] }),
      reason(bucket(12, 50), { constraints: [constraint(false), constraint(true)] }),
    ],
  ],
  [
    'a rollout rather than a constraint',
    1,
    [reason({ code: 'always' }, { constraints: [constraint(false)] }), reason(bucket(74, 50))],
  ],
  [
    'none of those that match or are disabled',
    2,
    [reason({ code: 'always' }, { result: 'on' }), reason({ code: 'always' }, { disabled: true }), reason(notListed)],
  ],
  [
    'a segment counts as a condition',
    1,
    [
      reason(bucket(74, 50), { segments: [{ id: '1', missing: false, matches: false, constraints: [] }] }),
      reason(notListed),
    ],
  ],
])('%s: strategy %s', (_, expected, strategies) => {
  expect(findNearestMiss(strategies)).toBe(expected);
});
