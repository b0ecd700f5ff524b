import { expect, test } from 'vitest';
import type {
  ConstraintReason,
  Explanation,
  ParentReason,
  RuleReason,
  StrategyReason,
  VariantReason,
} from '@/api/generated/types';
import {
  describeDecision,
  describeParent,
  describeResult,
  describeVariant,
  describeVerdict,
  findNonAsciiHash,
} from './describeReason';

test.each([
  [{ result: 'on' as const }, 'On'],
  [{ result: 'off' as const }, 'Off'],
  [{ result: 'application' as const }, 'The application decides'],
  [{ result: 'random' as const, probability: 0.25 }, 'On with a probability of 25 %'],
])('describes the result %j', (result, expected) => {
  expect(describeResult(result, 'en')).toBe(expected);
});

const strategy = (result: StrategyReason['result']): StrategyReason => ({
  name: 'flexibleRollout',
  result,
  disabled: false,
  rule: { code: 'always' },
  constraints: [],
  segments: [],
});
const parent = (part: Partial<ParentReason>): ParentReason => ({
  name: 'shop.cart',
  result: 'off',
  expectsEnabled: true,
  ...part,
});
const NO_REASONS = { parents: [], strategies: [] };

test.each<[Partial<Explanation> & Pick<Explanation, 'decision'>, string]>([
  [{ decision: 'unknownToggle' }, 'This toggle does not exist.'],
  [{ decision: 'toggleDisabled' }, 'The toggle is switched off.'],
  [
    { decision: 'noStrategyMatches', differing: ['node3', 'python'] },
    'No rule matches. Client libraries differ: the result may be another one in Node 3, Python.',
  ],
  [
    { decision: 'parentNotSatisfied', parents: [parent({ name: 'a', result: 'on' }), parent({})] },
    'The condition on the parent toggle "shop.cart" does not hold.',
  ],
  [{ decision: 'noStrategies' }, 'The toggle has no strategies, so it is on for everyone.'],
  [{ decision: 'allStrategiesDisabled' }, 'All strategies are disabled.'],
  [{ decision: 'noStrategyMatches' }, 'No rule matches.'],
  [{ decision: 'strategyMatches', strategy: 1, strategies: [strategy('off'), strategy('on')] }, 'Rule 2 matches.'],
  [
    { decision: 'strategyMatches', strategy: 0, strategies: [strategy('application')] },
    'Only the application can evaluate rule 1.',
  ],
  [{ decision: 'strategyMatches', strategy: 0, strategies: [strategy('random')] }, 'Rule 1 selects at random.'],
])('describes the decision %j', (reasons, expected) => {
  expect(describeDecision({ ...NO_REASONS, ...reasons })).toBe(expected);
});

const bucket = { code: 'bucket', field: 'userId', value: '4711', group: 'checkout', percentage: 25 } as const;

test.each<[RuleReason, string]>([
  [{ code: 'always' }, 'everyone gets it'],
  [{ code: 'listed', value: '7' }, '7 is listed'],
  [{ code: 'notListed', value: '' }, '"" is not listed'],
  [{ code: 'notListed' }, 'userId is missing'],
  [{ code: 'inNetwork', value: '10.0.0.1' }, '10.0.0.1 is in a listed network'],
  [{ code: 'notInNetwork', value: '10.0.0.1' }, '10.0.0.1 is in no listed network'],
  [{ code: 'notInNetwork' }, 'remoteAddress is missing'],
  [{ ...bucket, bucket: 63 }, '4711 is at 63 of 100, above the rollout of 25 %'],
  [{ ...bucket, bucket: 25 }, '4711 is at 25 of 100, within the rollout of 25 %'],
  [{ code: 'missingField', field: 'userId', percentage: 33.3 }, 'userId is missing'],
  [{ code: 'random', percentage: 25 }, 'selects 25 % at random'],
  [{ code: 'invalidPercentage', value: 'x' }, 'the percentage x is not a number'],
  [{ code: 'invalidPercentage' }, 'the percentage is missing'],
  [{ code: 'application' }, 'only the application can evaluate this strategy'],
])('describes the rule %j', (rule, expected) => {
  expect(describeVerdict({ ...strategy('off'), rule }, undefined, 'en')).toBe(expected);
});

test.each<[ConstraintReason, string]>([
  [{ field: 'region', value: 'eu', matches: true }, 'region eu is not one of guest, trial'],
  [{ field: 'region', value: 'guest', matches: false }, 'region guest is one of guest, trial'],
  [{ field: 'plan', value: 'eu', matches: true }, 'plan is eu'],
  [{ field: 'age', value: '7', matches: true, differing: ['python'] }, 'age is 7; may differ in Python'],
  [{ field: 'region', value: '', matches: true }, 'region "" is not one of guest, trial'],
  [{ field: 'region', matches: true }, 'region is not one of guest, trial'],
  [{ field: 'region', matches: false }, 'region is missing'],
  [{ field: 'plan', matches: true }, 'plan is missing'],
  [
    { field: 'age', value: '7', matches: false, problem: 'invalidNumber' },
    'age is 7; the value of the constraint is not a number',
  ],
  [{ field: 'age', matches: false, problem: 'unknownOperator' }, 'age is missing; the operator is unknown'],
])('describes the constraint %j', (reason, expected) => {
  const constraints = [{ contextName: 'region', operator: 'NOT_IN', values: ['guest', 'trial'] }];
  expect(describeVerdict({ ...strategy('off'), constraints: [reason] }, constraints, 'en')).toBe(expected);
});

const missed = (field: string): ConstraintReason => ({ field, value: 'x', matches: false });

test.each<[Partial<StrategyReason>, string]>([
  [{ disabled: true, constraints: [missed('a')] }, 'the strategy is disabled'],
  [
    { rule: { ...bucket, bucket: 7 }, constraints: [{ ...missed('a'), matches: true }] },
    '4711 is at 7 of 100, within the rollout of 25 %',
  ],
  [{ rule: { code: 'notListed' }, constraints: [missed('a')] }, 'a is x; userId is missing'],
  [{ rule: { code: 'notListed' }, constraints: [missed('a'), missed('b'), missed('c')] }, 'a is x; b is x; 2 more'],
  [{ segments: [{ id: '7', name: 'beta', matches: true, missing: false, constraints: [] }] }, 'in segment beta'],
  [{ segments: [{ id: '7', matches: false, missing: false, constraints: [] }] }, 'not in segment 7'],
  [{ segments: [{ id: '7', matches: false, missing: true, constraints: [] }] }, 'segment 7 does not exist'],
])('the verdict names what does not match, or else the rule: %j', (part, expected) => {
  expect(describeVerdict({ ...strategy('off'), ...part }, undefined, 'en')).toBe(expected);
});

test.each<[Partial<ParentReason>, string]>([
  [{ parentResult: 'off' }, 'shop.cart must be on; it is off'],
  [{ parentResult: 'on', parentVariant: 'blue' }, 'shop.cart must be on; it is on with variant blue'],
  [{ expectsEnabled: false, parentResult: 'on' }, 'shop.cart must be off; it is on'],
  [{ parentResult: 'application' }, 'shop.cart must be on; the application decides'],
  [{ parentResult: 'random', probability: 0.125 }, 'shop.cart must be on; it holds with a probability of 12.5 %'],
  [{ problem: 'missing' }, 'shop.cart must be on; it does not exist'],
  [{ problem: 'hasParents' }, 'shop.cart must be on; it has parents itself, which is not allowed'],
])('describes the parent %j', (part, expected) => {
  expect(describeParent(parent(part), 'en')).toBe(expected);
});

const select = (selection: VariantReason['selection'], certain = true) => ({ ofStrategy: false, certain, selection });

test.each<[string | undefined, VariantReason | undefined, string | undefined]>([
  [undefined, undefined, undefined],
  [undefined, select({ code: 'none' }), 'none'],
  ['blue', select({ code: 'single' }), 'blue: it has the whole weight'],
  ['blue', select({ code: 'override', field: 'userId', value: '7' }), 'blue: override for userId 7'],
  [
    'blue',
    select({ code: 'bucket', field: 'userId', value: '7', group: 'shop.pay', bucket: 630, buckets: 1000 }, false),
    'blue: userId 7 falls on 630 of 1,000, unless an earlier strategy matches',
  ],
  [
    undefined,
    select({
      code: 'random',
      shares: [
        { name: 'blue', probability: 1 / 3 },
        { name: 'red', probability: 2 / 3 },
      ],
    }),
    'at random: blue 33.3 %, red 66.7 %',
  ],
])('describes the variant %s of %j', (variant, reason, expected) => {
  expect(describeVariant(variant === undefined ? {} : { variant }, reason, 'en')).toBe(expected);
});

const hashed = (value: string, group: string) =>
  ({ code: 'bucket', field: 'userId', value, group, bucket: 1 }) as const;

test.each([
  ['ada', 'shop', undefined],
  ['jürgen', 'shop', 'jürgen'],
  ['ada', 'größe', 'größe'],
])('finds letters outside ASCII that are hashed: %s in group %s', (value, group, expected) => {
  const rule: RuleReason = { ...hashed(value, group), percentage: 50 };
  const selection = { ...hashed(value, group), buckets: 100 };
  const explanation: Explanation = { decision: 'strategyMatches', parents: [], strategies: [] };
  expect(findNonAsciiHash({ ...explanation, strategies: [{ ...strategy('on'), rule }] })).toBe(expected);
  expect(findNonAsciiHash({ ...explanation, variant: { ofStrategy: true, certain: true, selection } })).toBe(expected);
  const listed: RuleReason = { code: 'listed', value: 'jürgen' };
  expect(findNonAsciiHash({ ...explanation, strategies: [{ ...strategy('on'), rule: listed }] })).toBeUndefined();
});
