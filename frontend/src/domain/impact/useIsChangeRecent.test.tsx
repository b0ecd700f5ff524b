// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Diff, Event } from '@/api/generated/types';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { isRecentChange, useIsChangeRecent } from './useIsChangeRecent';

const server = installFakeServer();
cleanPageAfterEach();

const NOW = Date.parse('2026-03-18T14:30:00Z');
const edit = (...path: string[]): Diff => ({ kind: 'E', path, lhs: 1, rhs: 2 });
const event = (minutesAgo: number, more: Partial<Event> = {}, now = NOW): Event => ({
  id: 1,
  type: 'feature-updated',
  createdBy: 'ines',
  createdAt: new Date(now - minutesAgo * 60_000).toISOString(),
  data: null,
  diffs: [edit('strategies', '0', 'parameters', 'rollout')],
  ...more,
});

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

const EVENTS = 'GET api/admin/events/shop.basket';
const toggle = createToggle({ name: 'shop.basket' });

test('reads the log only if it is used', async () => {
  server().on(EVENTS, { body: { version: 1, toggleName: 'shop.basket', events: [event(5, {}, Date.now())] } });
  const { result, rerender } = renderHook(({ isUsed }) => useIsChangeRecent(toggle, isUsed), {
    initialProps: { isUsed: false },
  });
  await settle();
  expect([result.current, server().count(EVENTS)]).toEqual([false, 0]);
  rerender({ isUsed: true });
  await settle();
  expect([result.current, server().count(EVENTS)]).toEqual([true, 1]);
});

test('without a log, a change since the page was opened is recent', async () => {
  server().on(EVENTS, { status: 403, body: {} });
  const { result, rerender } = renderHook(({ shown }) => useIsChangeRecent(shown, true), {
    initialProps: { shown: toggle },
  });
  await settle();
  expect(result.current).toBe(false);
  rerender({ shown: { ...toggle, description: 'Other' } });
  expect(result.current).toBe(false);
  rerender({ shown: { ...toggle, strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }] } });
  expect(result.current).toBe(true);
});
