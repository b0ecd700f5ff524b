import { expect, test } from 'vitest';
import type { Explanation, StrategyReason } from '@/api/generated/types';
import { describeCause } from './resultColumns';

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

const STRATEGIES = ['first', 'second'].map((name) => ({ name }));
const explain = (strategies: StrategyReason[], index?: number): Explanation => ({
  decision: index === undefined ? 'noStrategyMatches' : 'strategyMatches',
  parents: [],
  strategies,
  ...(index !== undefined && { strategy: index }),
});

test.each<[Explanation, string]>([
  [explain([strategy({})], 0), 'Strategy "first" matches: everyone gets it.'],
  [
    explain([strategy({ result: 'off' }), strategy({ rule: { code: 'listed', value: '7' } })], 1),
    'Strategy "second" matches: 7 is listed.',
  ],
  [
    explain([strategy({ constraints: ['eu', 'us', 'no'].map((value) => constraint(value, true)) })], 0),
    'Strategy "first" matches: region is eu; region is us; 1 more.',
  ],
  [
    explain([strategy({ segments: [segment({ name: 'beta', matches: true })] })], 0),
    'Strategy "first" matches: in segment beta.',
  ],
  [
    explain([strategy({ result: 'application', rule: { code: 'application' } })], 0),
    'Only the application can evaluate strategy "first".',
  ],
  [
    explain([strategy({ result: 'random', rule: { code: 'random', percentage: 25 } })], 0),
    'Strategy "first" selects at random.',
  ],
  [
    explain([strategy({ result: 'off', rule: { code: 'notListed', value: '8' } })]),
    'Strategy "first" does not match: 8 is not listed.',
  ],
  [
    explain([strategy({ result: 'off', constraints: [constraint('eu', true), constraint('us', false)] })]),
    'Strategy "first" does not match: region is us.',
  ],
  [
    explain([strategy({ result: 'off', segments: [segment({ missing: true })] })]),
    'Strategy "first" does not match: segment 7 does not exist.',
  ],
  [
    explain([strategy({ disabled: true }), strategy({ result: 'off', segments: [segment({ name: 'beta' })] })]),
    'Strategy "second" does not match: not in segment beta.',
  ],
  [
    explain([
      strategy({ result: 'off', constraints: [constraint('eu', false), constraint('us', false)] }),
      strategy({ result: 'off', constraints: [constraint('us', false)] }),
    ]),
    'None of the 2 strategies matches. Nearest: "second", region is us.',
  ],
  [{ ...explain([]), decision: 'toggleDisabled' }, 'The toggle is switched off.'],
])('describes the cause of %j', (reasons, expected) => {
  expect(describeCause(reasons, STRATEGIES, 'en')).toBe(expected);
});

test('a held toggle is not only called switched off', () => {
  const times = { start: '2026-01-05T09:30:00Z', end: '2026-01-05T11:30:00Z' };
  const hold = { toggle: 'shop.pay', environment: null, person: 'anna', reason: 'INC-42', ...times };
  const cause = describeCause({ ...explain([]), decision: 'toggleDisabled', hold }, STRATEGIES, 'en');
  expect(cause).toMatch(/^The toggle is switched off\. Held for SDKs from .* until .* by anna: INC-42$/);
});
