import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { describeEvent } from './describeEvent';
import { findEventDiffs } from './EventRow';

const event = (type: string, more: object) =>
  ({ id: 7, type, createdBy: 'a', createdAt: '2026-01-05T10:00:00.000Z', data: null, diffs: null, ...more }) as Event;

const stored = (rollout: string) => ({ id: 's', name: 'flexibleRollout', parameters: { rollout }, title: '' });
const sent = (rollout: string) => ({ ...stored(rollout), name: 'shop.basket', strategyName: 'flexibleRollout' });
const environment = 'production';

test.each([
  ['feature-strategy-add', { data: sent('5'), environment }, 'added flexibleRollout: 5 % of users in production'],
  [
    'feature-strategy-update',
    { preData: stored('5'), data: sent('50'), environment },
    'changed flexibleRollout: rollout 5 → 50 % in production',
  ],
  [
    'feature-strategy-remove',
    { preData: stored('5'), data: { name: 'shop.basket', strategyName: 'flexibleRollout' }, environment },
    'removed flexibleRollout: 5 % of users in production',
  ],
  [
    'feature-environment-enabled',
    { data: { name: 'shop.basket' }, environment },
    'switched the toggle on in production',
  ],
  ['feature-environment-disabled', { data: { name: 'shop.basket' }, environment: null }, 'switched the toggle off'],
  ['feature-environment-variants-updated', { data: { name: 'a' }, environment }, 'changed the variants in production'],
  ['strategy-order-changed', { data: { name: 'a' }, environment }, 'reordered the strategies in production'],
  ['feature-metadata-updated', { data: { name: 'a' } }, 'changed the metadata of the toggle'],
])('describes %s of a newer server with %j as “%s”', (type, more, expected) => {
  const one = event(type, more);
  expect(describeEvent(one, [one])).toBe(expected);
});

test('shows the changed properties of a strategy', () => {
  const one = event('feature-strategy-update', { preData: stored('5'), data: sent('50'), environment });
  expect(findEventDiffs(one, [one], { locale: 'en', segmentName: String })).toEqual([
    { subject: 'flexibleRollout', diffs: [{ kind: 'E', path: ['rollout'], lhs: '5', rhs: '50' }] },
  ]);
});

test('names segments', () => {
  const segmentName = (id: number) => `beta-${id}`;
  const added = event('feature-strategy-add', { data: { ...sent('50'), segments: [7] } });
  expect(describeEvent(added, [added], { segmentName })).toBe(
    'added flexibleRollout: 50\u00a0% of users in segment beta-7',
  );
});
