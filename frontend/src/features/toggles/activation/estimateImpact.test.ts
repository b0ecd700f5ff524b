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

function text(before: Strategy[], after: Strategy[], counts: typeof COUNTS | undefined = COUNTS): string {
  const { percentage, checks, caveat } = estimateImpact(
    { enabled: true, strategies: before },
    { enabled: true, strategies: after },
    counts,
    format,
  );
  return [percentage && `${percentage}:`, checks, caveat && `(${caveat})`].filter(Boolean).join(' ');
}

test.each<[string, Strategy[], Strategy[]]>([
  ['50 → 25 %: about 9,000 of 36,000 checks per hour', [rollout('50')], [rollout('25')]],
  ['25 %: about 9,000 of 36,000 checks per hour', [rollout('25')], [rollout('25')]],
  ['100 → 25 %: about 9,000 of 36,000 checks per hour', [always], [rollout('25')]],
  ['25 → 100 %: about 36,000 of 36,000 checks per hour', [rollout('25')], [rollout('25'), always]],
  ['25 %: about 9,000 of 36,000 checks per hour', [rollout('25')], [rollout('25'), rollout('10')]],
  [
    '25 → 40 %: about 14,400 of 36,000 checks per hour',
    [rollout('25')],
    [rollout('25'), rollout('20', { groupId: 'h' })],
  ],
  ['25 → 0 %: about 0 of 36,000 checks per hour', [rollout('25')], [users('')]],
  // The effect of the new constraint is unknown.
  [
    '50 → at most 25 %: at most 9,000 of 36,000 checks per hour (The effect of constraints is unknown.)',
    [rollout('50')],
    [limited(rollout('25'), 'eu')],
  ],
  [
    '25 → at least 25 %: at least 9,000 of 36,000 checks per hour (The effect of userWithId is unknown.)',
    [rollout('25')],
    [rollout('25'), users('ada')],
  ],
  [
    '10 to 25 %: 3,600 to 9,000 of 36,000 checks per hour (The effect of constraints is unknown.)',
    [users('ada')],
    [rollout('10'), limited(rollout('25'), 'eu')],
  ],
  ['an unknown share of 36,000 checks per hour (The effect of own is unknown.)', [always], [{ name: 'own' }]],
  [
    'an unknown share of 36,000 checks per hour (The effects of own and constraints are unknown.)',
    [always],
    [{ name: 'own' }, limited(always, 'eu')],
  ],
  [
    'an unknown share of 36,000 checks per hour (The effect of constraints is unknown.)',
    [always],
    [limited(always, 'eu')],
  ],
])('%s', (expected, before, after) => {
  expect(text(before, after)).toBe(expected);
});

test('unchanged constraints are part of the measurement', () => {
  const [before, after] = [limited(rollout('50'), 'eu'), limited(rollout('25'), 'eu')];
  const expected = 'at most 50 → 25 %: about 2,000 of 36,000 checks per hour (Estimated from the last hour.)';
  expect(text([before], [after], { yes: 4_000, no: 32_000 })).toBe(expected);
  // More calls were on than the strategy allows: it was changed within the last hour.
  expect(text([before], [after], { yes: 30_000, no: 6_000 })).toContain('at most 9,000 of 36,000 checks per hour');
});

test('without a change, an unknown share is measured', () => {
  const expected = 'about 4,000 of 36,000 checks per hour (Measured in the last hour.)';
  expect(text([users('ada')], [users('ada')], { yes: 4_000, no: 32_000 })).toBe(expected);
});

test('without metrics there are no numbers', () => {
  expect(text([rollout('50')], [rollout('25')], { yes: 0, no: 0 })).toBe('50 → 25 %: No checks in the last hour.');
  const impact = estimateImpact(
    { enabled: true, strategies: [always] },
    { enabled: true, strategies: [always] },
    undefined,
    format,
  );
  expect(impact).toEqual({ percentage: '100 %', checks: 'No metrics available.', caveat: undefined });
});

test('a disabled toggle is off for all calls', () => {
  const off = { enabled: false, strategies: [always] };
  expect(estimateImpact(off, off, COUNTS, format).checks).toBe('0 of 36,000 checks per hour. The toggle is off.');
  expect(estimateImpact(off, off, undefined, format).checks).toBe('The toggle is off.');
});
