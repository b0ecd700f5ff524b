import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { estimateImpact, withNote } from './estimateImpact';
import type { RecentChange } from './recentChange';

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

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-18T15:00:00Z');
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

function estimate(before: Strategy[], after: Strategy[], counts: typeof COUNTS | undefined, recent?: RecentChange) {
  return estimateImpact(on(before), on(after), { counts, recent, now: NOW, formatNumber: format, formatTime: clock });
}

function text(before: Strategy[], after: Strategy[], counts = COUNTS, recent?: RecentChange): string {
  const { percentage, checks, note } = estimate(before, after, counts, recent);
  return withNote([percentage && `${percentage}:`, checks].filter(Boolean).join(' '), note).replaceAll('\u00a0', ' ');
}

test.each<[string, Strategy[], Strategy[]]>([
  ['50 → 25 %: 18,000 → 9,000 of 36,000 checks per hour', [rollout('50')], [rollout('25')]],
  ['50 → 12.5 %: 18,000 → 4,500 of 36,000 checks per hour', [rollout('50')], [rollout('12.5')]],
  ['100 → 25 %: 36,000 → 9,000 of 36,000 checks per hour', [always], [rollout('25')]],
  ['25 → 100 %: 9,000 → 36,000 of 36,000 checks per hour', [rollout('25')], [rollout('25'), always]],
  ['25 %: 9,000 → 9,000 of 36,000 checks per hour', [rollout('25')], [rollout('25'), rollout('10')]],
  [
    '25 → 40 %: 9,000 → 14,400 of 36,000 checks per hour',
    [rollout('25')],
    [rollout('25'), rollout('20', { groupId: 'h' })],
  ],
  ['25 → 0 %: 9,000 → 0 of 36,000 checks per hour', [rollout('25')], [users('')]],
  [
    '50 → at most 25 %: 18,000 → at most 9,000 of 36,000 checks per hour. The effect of constraints is unknown.',
    [rollout('50')],
    [limited(rollout('25'), 'eu')],
  ],
  [
    '25 → at least 25 %: 9,000 → at least 9,000 of 36,000 checks per hour. The effect of userWithId is unknown.',
    [rollout('25')],
    [rollout('25'), users('ada')],
  ],
  [
    '50 → 10 to 25 %: 18,000 → 3,600 to 9,000 of 36,000 checks per hour. The effect of constraints is unknown.',
    [users('ada')],
    [rollout('10'), limited(rollout('25'), 'eu')],
  ],
  [
    '9,000 → an unknown number of 36,000 checks per hour. The effects of own and constraints are unknown.',
    [rollout('25')],
    [{ name: 'own' }, limited(always, 'eu')],
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
  const expected = '11 → 5.6 %: 4,000 → 2,000 of 36,000 checks per hour. Estimated from the last hour.';
  expect(text([limited50], [limited25], measured50)).toBe(expected);
  expect(text([limited50, users('ada')], [limited25, users('ada')], measured50)).toBe(expected);
  // Another strategy changes too.
  expect(text([limited50, users('ada')], [limited25, users('bob')], measured50)).toBe(
    '4,000 → an unknown number of 36,000 checks per hour. The effects of userWithId and constraints are unknown.',
  );
});

test('a change that narrows never leaves more calls on than today, and one that widens never fewer', () => {
  const counts = { yes: 19_400, no: 29_300 };
  const [before, added] = [[limited50, users('ada')], limited(limited50, 'eu', 'us')];
  const both = { ...limited50, constraints: [...(limited50.constraints ?? []), ...(added.constraints ?? [])] };
  const narrowed = estimate(before, [both, users('ada')], counts);
  expect(narrowed.after).toEqual({ min: 0, max: 19_400 / 48_700, text: 'at most 19,400 (40\u00a0%)' });
  expect(text(before, [both, users('ada')], counts)).toContain('40 → at most 40 %: 19,400 → at most 19,400 of 48,700');
  expect(estimate(before, [limited50], counts).after?.text).toBe('at most 19,400 (40\u00a0%)');
  expect(estimate(before, [added, users('ada')], counts).after?.text).toBe('at least 19,400 (40\u00a0%)');
  // It gives the feature to some, and takes it from others.
  expect(estimate(before, [users('ada'), limited(rollout('10'), 'us')], counts).after?.text).toBe('an unknown number');
});

test('an estimate that is impossible shows the bounds', () => {
  // Three times the measured calls are more than all calls.
  const counts = { yes: 30_000, no: 6_000 };
  expect(text([limited(rollout('20'), 'eu'), users('ada')], [limited(rollout('60'), 'eu'), users('ada')], counts)).toBe(
    '83 → at least 83 %: 30,000 → at least 30,000 of 36,000 checks per hour. The effects of userWithId and constraints are unknown.',
  );
});

test('without a change, an unknown share is measured', () => {
  const { checks, now, after, note } = estimate([users('ada')], [users('ada')], measured50);
  const measured = '4,000 of 36,000 checks per hour are yes (11\u00a0%)';
  expect(now).toEqual({ text: measured, min: 1 / 9, max: 1 / 9 });
  expect([checks, note, after]).toEqual([measured, 'Measured in the last hour.', undefined]);
});

test('calls that the strategies do not allow are not their measurement', () => {
  const all = { yes: 18_400, no: 0 };
  const expected = 'at most 4,600 (25 %) of 18,400 checks per hour. Measured when the change is an hour old.';
  expect(text([limited25], [limited25], all)).toBe(expected);
  expect(estimate([limited25], [limited25], all).now).toMatchObject({ min: 0, max: 0.25 });
});

/** Versions of the toggle. Calls are those of a version since the given minutes ago: applications get it a minute late. */
function changed(...versions: [minutesAgo: number, strategies: Strategy[], enabled?: boolean][]): RecentChange {
  const timed = versions.map(([minutesAgo, strategies, enabled = true], index) => ({
    toggle: { strategies, enabled },
    since: index === 0 ? Number.NEGATIVE_INFINITY : NOW - (minutesAgo + 1) * 60_000,
  }));
  return { at: timed.at(-1)?.since, versions: timed };
}

const others = users('anna,bo');

test('a saved estimate stays until it can be measured', () => {
  // Stored strategies have more properties than those of the log.
  const stored = [{ ...limited25, id: '1', sortOrder: 7 }, others];
  // 40 % for 48 minutes, then half of it.
  const recent = changed([60, [limited50, others]], [12, [limited25, others]]);
  const counts = {
    yes: Math.round(36_000 * (0.4 * 0.8 + 0.2 * 0.2)),
    no: Math.round(36_000 * (0.6 * 0.8 + 0.8 * 0.2)),
  };
  expect(text(stored, stored, counts, recent)).toBe(
    '≈ 7,200 (20 %) of 36,000 checks per hour, estimated at 14:47; measured from 15:47 on.',
  );
  // The next edit starts from it.
  expect(estimate(stored, [limited50, others], counts, recent).after?.text).toBe('≈ 14,400 (40\u00a0%)');
  // An hour later, it is measured.
  const measured = estimateImpact(on([limited25, others]), on([limited25, others]), {
    counts: { yes: 7_300, no: 28_700 },
    now: NOW + HOUR,
    formatNumber: format,
    formatTime: clock,
  });
  expect(measured.note).toBe('Measured in the last hour.');
});

test.each<[string, RecentChange, Strategy[]]>([
  // 10 minutes of 50 %, 20 minutes of 25 %, 30 minutes of 50 % again, all of a half of the users.
  [
    '≈ 10,800 (30 %)',
    changed([60, [limited50, others]], [50, [limited25, others]], [30, [limited50, others]]),
    [limited50, others],
  ],
  // Off for the first half.
  ['≈ 18,000 (50 %)', changed([60, [limited50], false], [30, [limited50]]), [limited50]],
  ['at most 9,000 (25 %)', changed([60, [limited50, others]], [10, [others]]), [others]],
  ['an unknown share', changed([60, [others]], [10, [users('ada')]]), [users('ada')]],
  // Exact, whatever the calls of the last hour were.
  ['≈ 3,600 (10 %)', changed([60, [others]], [10, [rollout('10')]]), [rollout('10')]],
])('an estimate after changes: %s', (expected, recent, strategies) => {
  const found = text(strategies, strategies, { yes: 9_000, no: 27_000 }, recent);
  expect(found).toContain(`${expected} of 36,000 checks per hour`);
  expect(found).toContain('easured from ');
});

test('the calls of a toggle that was created a moment ago are those of its first version', () => {
  const versions = [
    { toggle: on([limited50, others]), since: NOW + 20_000 },
    { toggle: on([limited25, others]), since: NOW + 30_000 },
  ];
  const recent = { at: NOW + 30_000, versions };
  expect(text([limited25, others], [limited25, others], { yes: 9_000, no: 27_000 }, recent)).toContain(
    '≈ 4,500 (13 %)',
  );
});

test('a change that is not in the log yet has no estimate', () => {
  const recent = { at: undefined, versions: undefined };
  expect(text([limited25], [limited25], { yes: 1_840, no: 16_560 }, recent)).toBe(
    'at most 4,600 (25 %) of 18,400 checks per hour. Measured when the change is an hour old.',
  );
});

test('shows the calls now and after saving', () => {
  const before = [limited50, users('ada')];
  const after = [limited(rollout('65'), 'eu'), users('ada')];
  expect(estimate(before, after, { yes: 11_000, no: 16_600 })).toMatchObject({
    percentage: '40 → 52\u00a0%',
    checks: '11,000 → 14,300 of 27,600 checks per hour',
    now: { text: '11,000 of 27,600 checks per hour are yes (40\u00a0%)' },
    after: { text: '≈ 14,300 (52\u00a0%)' },
  });
  expect(estimate([rollout('50')], [users('ada')], COUNTS).after?.text).toBe('an unknown number');
  expect(estimate([rollout('5')], [rollout('4.5')], { yes: 1_800, no: 34_200 }).after?.text).toBe(
    '≈ 1,620 (4.5\u00a0%)',
  );
});

test('without calls there are no numbers', () => {
  expect(text([rollout('50')], [rollout('25')], { yes: 0, no: 0 })).toBe('50 → 25 %: no calls yet');
  expect(estimate([always], [always], undefined)).toEqual({
    percentage: '100\u00a0%',
    checks: 'no calls yet',
    note: undefined,
    now: undefined,
    after: undefined,
  });
});

test('a toggle that is switched off turns all calls off, and one that is switched on turns some on', () => {
  const off = { enabled: false, strategies: [rollout('25')] };
  const options = { counts: COUNTS, formatNumber: format };
  expect(estimateImpact(off, off, options).checks).toBe('0 of 36,000 checks per hour. The toggle is off.');
  expect(estimateImpact(off, off, { ...options, counts: undefined }).checks).toBe('The toggle is off.');
  expect(estimateImpact(on([rollout('50')]), off, options)).toMatchObject({
    checks: '18,000 of 36,000 checks per hour become no',
    after: { min: 0, max: 0 },
  });
  expect(estimateImpact(off, on([rollout('25')]), options)).toMatchObject({
    percentage: '0 → 25\u00a0%',
    checks: '0 → 9,000 of 36,000 checks per hour',
  });
});
