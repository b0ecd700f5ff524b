import { expect, test } from 'vitest';
import type { Diff, Event, Strategy } from '@/api/generated/types';
import { findRecentChange, isRecentChange, type RatedToggle } from './recentChange';

const NOW = Date.parse('2026-03-18T14:30:00Z');
const edit = (...path: string[]): Diff => ({ kind: 'E', path, lhs: 1, rhs: 2 });
let id = 100;
const event = (minutesAgo: number, more: object = {}): Event => {
  id += 1;
  return {
    id,
    type: 'feature-updated',
    createdBy: 'ines',
    createdAt: new Date(NOW - minutesAgo * 60_000).toISOString(),
    data: null,
    diffs: [edit('strategies', '0', 'parameters', 'rollout')],
    ...more,
  } as Event;
};

test.each<[string, boolean, Event]>([
  ['a change of the strategies 59 minutes ago', true, event(59)],
  ['a change of the strategies an hour ago', false, event(60)],
  ['a switch', true, event(5, { type: 'feature-environment-enabled', diffs: [edit('enabled')] })],
  ['a change without differences', true, event(5, { diffs: null })],
  ['a change of the description', false, event(5, { diffs: [edit('description')] })],
  ['the creation', false, event(5, { type: 'feature-created', diffs: null })],
  ['a tag', false, event(5, { type: 'feature-tagged', diffs: null })],
])('%s is recent: %s', (_, expected, given) => {
  expect(isRecentChange(given, NOW)).toBe(expected);
});

const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: 'g' },
  ...more,
});
const on = (...strategies: Strategy[]): RatedToggle => ({ enabled: true, strategies });

/** An event of the embedded service, and of Unleash before 4.3: the whole toggle, with the differences from the version before. */
const saved = (minutesAgo: number, toggle: RatedToggle, before: string): Event =>
  event(minutesAgo, {
    data: { name: 'shop.basket', variants: [], ...toggle },
    diffs: [{ kind: 'E', path: ['strategies', 0, 'parameters', 'rollout'], lhs: before, rhs: 'x' }],
  });
const sinceOf = (minutesAgo: number) => NOW - minutesAgo * 60_000;

test('the versions of the last hour are those of the log', () => {
  // Servers store strategies with ids and positions.
  const current = on(rollout('10', { id: 'a', sortOrder: 1, constraints: [] }));
  const events = [
    saved(5, on(rollout('10')), '50'),
    saved(20, on(rollout('50')), '25'),
    saved(90, on(rollout('25')), '1'),
  ];
  expect(findRecentChange(current, events, NOW)).toEqual({
    at: sinceOf(5),
    versions: [
      { toggle: on(rollout('25')), since: Number.NEGATIVE_INFINITY },
      { toggle: on(rollout('50')), since: sinceOf(20) },
      { toggle: current, since: sinceOf(5) },
    ],
  });
  expect(findRecentChange(current, events.slice(2), NOW)).toBeUndefined();
});

test('a version that the log does not contain yet keeps no estimate of an older one', () => {
  const events = [saved(5, on(rollout('10')), '50')];
  expect(findRecentChange(on(rollout('75')), events, NOW)).toEqual({ at: undefined, versions: undefined });
  expect(findRecentChange({ ...on(rollout('10')), enabled: false }, events, NOW)?.versions).toBeUndefined();
});

test('newer servers log one strategy, and switches without the toggle', () => {
  const part = (strategy: Strategy) => ({ ...strategy, strategyName: strategy.name, name: 'shop.basket' });
  const [old, now, other] = [rollout('25', { id: 'a' }), rollout('50', { id: 'a' }), rollout('5', { id: 'b' })];
  const change = (minutesAgo: number, action: string, data: object | null, preData: object | null) =>
    event(minutesAgo, { type: `feature-strategy-${action}`, data, preData, diffs: null });
  const events = [
    event(4, { type: 'feature-environment-enabled', data: { name: 'shop.basket' }, diffs: null }),
    change(5, 'update', part(now), part(old)),
    change(6, 'add', part(other), null),
  ];
  expect(findRecentChange(on(now, other), events, NOW)?.versions?.map(({ toggle }) => toggle)).toEqual([
    { enabled: false, strategies: [old] },
    { enabled: false, strategies: [old, other] },
    { enabled: false, strategies: [now, other] },
    on(now, other),
  ]);
  expect(findRecentChange(on(rollout('7', { id: 'a' }), other), events, NOW)?.versions).toBeUndefined();
});

test('a toggle that was created within the hour has no calls from before', () => {
  const created = event(30, {
    type: 'feature-created',
    data: { name: 'shop.basket', ...on(rollout('10')) },
    diffs: null,
  });
  const found = findRecentChange(on(rollout('50')), [saved(5, on(rollout('50')), '10'), created], NOW);
  expect(found?.versions?.[0]).toEqual({ toggle: on(rollout('10')), since: sinceOf(30) });
});
