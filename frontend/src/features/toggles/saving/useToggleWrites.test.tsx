// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { clearUserData } from '@/api/hooks';
import { useNewestNotice } from '@/api/notices';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { createToggle } from '@/testing/renderConsole';
import { useToggleWrites } from './useToggleWrites';

const server = installFakeServer();
cleanPageAfterEach();

const REVIVE = 'POST api/admin/archive/revive/a';
const ON = 'POST api/admin/features/a/toggle/on';
const newest = () => renderHook(() => useNewestNotice()).result.current;

async function startRevive() {
  server().hold(REVIVE);
  server().on(ON, {});
  const { result } = renderHook(() => useToggleWrites());
  act(() => void result.current.revive(createToggle({ name: 'a', enabled: true })));
  return server().take(REVIVE);
}

test('a revived toggle is switched on again if it was on', async () => {
  (await startRevive()).respond({});
  await settle();
  expect(server().count(ON)).toBe(1);
  expect(newest()?.text).toBe('a revived.');
});

test('a change of the user between the two requests of a revival sends no second one and shows nothing', async () => {
  const request = await startRevive();
  act(() => clearUserData({ rereads: false }));
  request.respond({});
  await settle();
  expect(server().count(ON)).toBe(0);
  expect(newest()).toBeUndefined();
});
