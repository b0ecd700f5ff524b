import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { estimateImpact } from './estimateImpact';

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g', ...more },
});
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });
const limited = (strategy: Strategy, ...values: string[]): Strategy => ({
  ...strategy,
  constraints: [{ contextName: 'region', operator: 'IN', values }],
});
const format = (value: number) => value.toLocaleString('en');
const COUNTS = { yes: 18_000, no: 18_000 };

const on = (strategies: Strategy[]) => ({ enabled: true, strategies });

function estimate(before: Strategy[], after: Strategy[], counts: typeof COUNTS | undefined, isRecent = false) {
  return estimateImpact(on(before), on(after), { counts, isRecent, formatNumber: format });
}

function text(before: Strategy[], after: Strategy[], counts = COUNTS, isRecent = false): string {
  const { percentage, checks, note } = estimate(before, after, counts, isRecent);
  return [percentage && `${percentage}:`, checks, note && `– ${note}`].filter(Boolean).join(' ');
}

test.each<[string, Strategy[], Strategy[]]>([
  ['50 → 25 %: about 9,000 of 36,000 checks per hour', [rollout('50')], [rollout('25')]],
  ['25 %: about 9,000 of 36,000 checks per hour', [rollout('25')], [rollout('25')]],
  ['100 → 25 %: about 9,000 of 36,000 checks per hour', [always], [rollout('25')]],
  ['25 → 100 %: about 36,000 of 36,000 checks per hour', [rollout('25')], [rollout('25'), always]],
  ['25 %: about 9,000 of 36,000 checks per hour', [rollout('25')], [rollout('25'), rollout('10')]],
  [
    '25 → 40 %: about 14,400 of 36,000 checks per hour',
    [rollout('25')],
    [rollout('25'), rollout('20', { groupId: 'h' })],
  ],
  ['25 → 0 %: about 0 of 36,000 checks per hour', [rollout('25')], [users('')]],
  // The effect of the new constraint is unknown.
  [
    '50 → at most 25 %: at most 9,000 of 36,000 checks per hour – The effect of constraints is unknown.',
    [rollout('50')],
    [limited(rollout('25'), 'eu')],
  ],
  [
    '25 → at least 25 %: at least 9,000 of 36,000 checks per hour – The effect of userWithId is unknown.',
    [rollout('25')],
    [rollout('25'), users('ada')],
  ],
  [
    '10 to 25 %: 3,600 to 9,000 of 36,000 checks per hour – The effect of constraints is unknown.',
    [users('ada')],
    [rollout('10'), limited(rollout('25'), 'eu')],
  ],
  ['an unknown share of 36,000 checks per hour – The effect of own is unknown.', [always], [{ name: 'own' }]],
  [
    'an unknown share of 36,000 checks per hour – The effects of own and constraints are unknown.',
    [always],
    [{ name: 'own' }, limited(always, 'eu')],
  ],
  [
    'an unknown share of 36,000 checks per hour – The effect of constraints is unknown.',
    [always],
    [limited(always, 'eu')],
  ],
])('%s', (expected, before, after) => {
  expect(text(before, after)).toBe(expected);
});

const [measured50, limited50, limited25] = [
  { yes: 4_000, no: 32_000 },
  limited(rollout('50'), 'eu'),
  limited(rollout('25'), 'eu'),
];

test('unchanged constraints and other strategies are part of the measurement', () => {
  const expected = 'at most 50 → 25 %: about 2,000 of 36,000 checks per hour – Estimated from the last hour.';
  expect(text([limited50], [limited25], measured50)).toBe(expected);
  expect(text([limited50, users('ada')], [limited25, users('ada')], measured50)).toBe(
    'about 2,000 of 36,000 checks per hour – Estimated from the last hour.',
  );
  // Another strategy changes too.
  expect(text([limited50, users('ada')], [limited25, users('bob')], measured50)).toBe(
    'an unknown share of 36,000 checks per hour – The effects of userWithId and constraints are unknown.',
  );
});

test('an estimate that is impossible shows the bounds', () => {
  // Three times the measured calls are more than all calls.
  const counts = { yes: 30_000, no: 6_000 };
  expect(text([limited(rollout('20'), 'eu'), users('ada')], [limited(rollout('60'), 'eu'), users('ada')], counts)).toBe(
    'an unknown share of 36,000 checks per hour – The effects of userWithId and constraints are unknown.',
  );
  expect(text([users('ada'), limited(rollout('0'), 'eu')], [users('ada'), limited25], measured50)).toContain('unknown');
});

test('without a change, an unknown share is measured', () => {
  const expected = 'about 4,000 of 36,000 checks per hour – Measured in the last hour.';
  expect(text([users('ada')], [users('ada')], measured50)).toBe(expected);
  const { now, after } = estimate([users('ada')], [users('ada')], measured50);
  expect(now).toMatchObject({ text: '4,000 of 36,000 checks per hour are yes (11 %)', min: 1 / 9, max: 1 / 9 });
  expect(after).toBeUndefined();
});

test('calls that the strategies do not allow are not their measurement', () => {
  const all = { yes: 18_400, no: 0 };
  const expected = 'at most 25 %: at most 4,600 of 18,400 checks per hour – Measured when the change is an hour old.';
  expect(text([limited25], [limited25], all)).toBe(expected);
  expect(estimate([limited25], [limited25], all).now).toEqual({
    min: 0,
    max: 0.25,
    text: 'at most 4,600 of 18,400 checks per hour',
  });
});

test('calls of the hour before a change are not the measurement of the change', () => {
  // 10 % of the calls are possible with 25 %, but were counted before.
  const counts = { yes: 1_840, no: 16_560 };
  expect(text([limited25], [limited25], counts)).toContain('about 1,840');
  expect(text([limited25], [limited25], counts, true)).toBe(
    'at most 25 %: at most 4,600 of 18,400 checks per hour – Measured when the change is an hour old.',
  );
  expect(text([limited25], [limited50], counts, true)).toBe(
    'at most 25 → 50 %: at most 9,200 of 18,400 checks per hour – The effect of constraints is unknown.',
  );
});

test('shows the calls now and after saving', () => {
  const before = [limited50, users('ada')];
  const after = [limited(rollout('65'), 'eu'), users('ada')];
  expect(estimate(before, after, { yes: 11_000, no: 16_600 })).toMatchObject({
    now: { text: '11,000 of 27,600 checks per hour are yes (40 %)' },
    after: { text: '≈ 14,300 (52 %)' },
  });
  expect(estimate([rollout('50')], [limited50], COUNTS).after).toEqual({ min: 0, max: 0.5, text: 'at most 18,000' });
  expect(estimate([rollout('50')], [users('ada')], COUNTS).after?.text).toBe('an unknown number');
  expect(estimate([rollout('5')], [rollout('4.5')], { yes: 1_800, no: 34_200 }).after?.text).toBe('≈ 1,620 (4.5 %)');
});

test('without metrics there are no numbers', () => {
  expect(text([rollout('50')], [rollout('25')], { yes: 0, no: 0 })).toBe('50 → 25 %: No checks in the last hour.');
  const none = { note: undefined, now: undefined, after: undefined };
  expect(estimate([always], [always], undefined)).toEqual({
    percentage: '100 %',
    checks: 'No metrics available.',
    ...none,
  });
});

test('a disabled toggle is off for all calls', () => {
  const off = { enabled: false, strategies: [always] };
  const options = { counts: COUNTS, formatNumber: format };
  expect(estimateImpact(off, off, options).checks).toBe('0 of 36,000 checks per hour. The toggle is off.');
  expect(estimateImpact(off, off, { ...options, counts: undefined }).checks).toBe('The toggle is off.');
});
