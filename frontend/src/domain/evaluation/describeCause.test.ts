import { expect, test } from 'vitest';
import type { Explanation, StrategyReason } from '@/api/generated/types';
import { describeCause } from './describeCause';

const strategy = (part: Partial<StrategyReason>): StrategyReason => ({
  name: 'default',
  result: 'on',
  disabled: false,
  rule: { code: 'always' },
  constraints: [],
  segments: [],
  ...part,
});
const constraint = (value: string, matches: boolean) => ({ field: 'region', value, matches });
const segment = (part: object) => ({ id: '7', matches: false, missing: false, constraints: [], ...part });

const STRATEGIES = [
  {
    name: 'default',
    constraints: [{ contextName: 'userId', operator: 'NOT_IN', values: ['guest', 'trial'] }],
  },
  { name: 'flexibleRollout', parameters: { rollout: '25' } },
];
const explain = (strategies: StrategyReason[], index?: number): Explanation => ({
  decision: index === undefined ? 'noStrategyMatches' : 'strategyMatches',
  parents: [],
  strategies,
  ...(index !== undefined && { strategy: index }),
});

test.each<[Explanation, string]>([
  [explain([strategy({})], 0), 'Rule 1 matches: everyone gets it.'],
  [
    explain([strategy({ result: 'off' }), strategy({ rule: { code: 'listed', value: '7' } })], 1),
    'Rule 2 matches: 7 is listed.',
  ],
  [
    explain([strategy({ constraints: ['eu', 'us', 'no'].map((value) => constraint(value, true)) })], 0),
    'Rule 1 matches: region is eu; region is us; 1 more.',
  ],
  [
    explain([strategy({ segments: [segment({ name: 'beta', matches: true })] })], 0),
    'Rule 1 matches: in segment beta.',
  ],
  [
    explain([strategy({ result: 'application', rule: { code: 'application' } })], 0),
    'Only the application can evaluate rule 1: everyone where userId is not one of guest, trial.',
  ],
  [
    explain([strategy({ result: 'random', rule: { code: 'random', percentage: 25 } })], 0),
    'Rule 1 selects at random: everyone where userId is not one of guest, trial.',
  ],
  [
    explain([strategy({ result: 'off', rule: { code: 'notListed', value: '8' } })]),
    'Rule 1 does not match: 8 is not listed.',
  ],
  [
    explain([strategy({ result: 'off', constraints: [constraint('eu', true), constraint('us', false)] })]),
    'Rule 1 does not match: region is us.',
  ],
  [
    explain([strategy({ result: 'off', segments: [segment({ missing: true })] })]),
    'Rule 1 does not match: segment 7 does not exist.',
  ],
  [
    explain([strategy({ disabled: true }), strategy({ result: 'off', segments: [segment({ name: 'beta' })] })]),
    'Rule 2 does not match: not in segment beta.',
  ],
  [
    explain([
      strategy({ result: 'off', constraints: [constraint('eu', false), constraint('us', false)] }),
      strategy({ result: 'off', constraints: [constraint('us', false)] }),
    ]),
    'No rule matches. Nearest: rule 2 (25\u00a0% of users), region is us.',
  ],
  [
    explain([strategy({ constraints: [{ field: 'userId', value: '7', matches: true }] })], 0),
    'Rule 1 matches: 7 is not one of guest, trial.',
  ],
  [
    explain([strategy({ result: 'off', constraints: [{ field: 'userId', value: 'guest', matches: false }] })]),
    'Rule 1 does not match: guest is one of guest, trial.',
  ],
  [explain([strategy({ result: 'off', disabled: true })]), 'No rule matches.'],
  [{ ...explain([]), decision: 'toggleDisabled' }, 'The toggle is switched off.'],
])('describes the cause of %j', (reasons, expected) => {
  expect(describeCause(reasons, STRATEGIES, { locale: 'en' })).toBe(expected);
});

test('a held toggle is not only called switched off', () => {
  const times = { start: '2026-01-05T09:30:00Z', end: '2026-01-05T11:30:00Z' };
  const hold = { toggle: 'shop.pay', environment: null, person: 'anna', reason: 'INC-42', ...times };
  const cause = describeCause({ ...explain([]), decision: 'toggleDisabled', hold }, STRATEGIES, { locale: 'en' });
  expect(cause).toMatch(/^The toggle is switched off\. Held for SDKs from .* until .* by anna: INC-42$/);
});

test('beside the rules, the text has only their numbers', () => {
  const missed = strategy({ result: 'off', constraints: [{ field: 'userId', value: 'guest', matches: false }] });
  const options = { locale: 'en', omitsRules: true };
  expect(describeCause(explain([missed, strategy({ disabled: true })]), STRATEGIES, options)).toBe(
    'Rule 1 does not match: guest is one of guest, trial.',
  );
  expect(describeCause(explain([missed, missed]), STRATEGIES, options)).toBe(
    'No rule matches. Nearest: rule 1, guest is one of guest, trial.',
  );
});
