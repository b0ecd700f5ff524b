// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Diff, Event } from '@/api/generated/types';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { useRecentChange } from './useRecentChange';

const server = installFakeServer();
cleanPageAfterEach();

const edit: Diff = { kind: 'E', path: ['strategies', '0', 'parameters', 'rollout'], lhs: 1, rhs: 2 };
const event = (): Event => ({
  id: 1,
  type: 'feature-updated',
  createdBy: 'ines',
  createdAt: new Date(Date.now() - 300_000).toISOString(),
  data: null,
  diffs: [edit],
});

const EVENTS = 'GET api/admin/events/shop.basket';
const toggle = createToggle({ name: 'shop.basket' });

test('reads the log only if it is used', async () => {
  server().on(EVENTS, { body: { version: 1, toggleName: 'shop.basket', events: [event()] } });
  const { result, rerender } = renderHook(({ isUsed }) => useRecentChange(toggle, isUsed), {
    initialProps: { isUsed: false },
  });
  await settle();
  expect([result.current, server().count(EVENTS)]).toEqual([undefined, 0]);
  rerender({ isUsed: true });
  await settle();
  expect(server().count(EVENTS)).toBe(1);
  expect(result.current).toBeDefined();
});

test('without a log, a change since the page was opened is recent', async () => {
  server().on(EVENTS, { status: 403, body: {} });
  const { result, rerender } = renderHook(({ shown }) => useRecentChange(shown, true), {
    initialProps: { shown: toggle },
  });
  await settle();
  expect(result.current).toBeUndefined();
  rerender({ shown: { ...toggle, description: 'Other' } });
  expect(result.current).toBeUndefined();
  rerender({ shown: { ...toggle, strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }] } });
  expect(result.current).toEqual({ at: undefined, versions: undefined });
});
