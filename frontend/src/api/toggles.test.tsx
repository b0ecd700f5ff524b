// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { collectGarbage } from '@/testing/collectGarbage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { feature, features } from './endpoints';
import { clearUserData, refreshReads, useRead } from './useRead';
import { addToggle, patchToggle, removeToggle, useOwnToggle, useToggleList } from './toggles';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = `GET ${features.path}`;
const OWN = `GET ${features.path}/a`;
const on = createToggle({ name: 'a' });
const off = createToggle({ name: 'a', enabled: false });
const listOf = (...toggles: (typeof on)[]) => ({ body: { version: 1, features: toggles } });

/** Renders a page that reads the list and the toggle `a`, after their first responses. */
async function renderPage() {
  server().on(LIST, listOf(on));
  server().on(OWN, { body: on });
  const page = renderHook(() => ({ list: useToggleList().data, own: useOwnToggle('a', true).data }));
  await settle();
  return {
    row: () => page.result.current.list?.features.find(({ name }) => name === 'a'),
    own: () => page.result.current.own,
    list: () => page.result.current.list,
  };
}

const reread = (...endpoints: Parameters<typeof refreshReads>[0]) => act(() => refreshReads(endpoints));

test('a read of one toggle does not discard the list that is read at the same time', async () => {
  const page = await renderPage();
  server().hold(LIST);
  server().on(OWN, { body: { ...off, lastSeenAt: '2026-01-02T00:00:00.000Z' } });
  reread(features, feature('a'));
  const list = await server().take(LIST);
  await settle();
  expect(page.row()?.enabled).toBe(false);
  list.respond(listOf(off, createToggle({ name: 'b' })));
  await settle();
  expect(page.list()?.features).toHaveLength(2);
  expect(page.row()?.enabled).toBe(false);
});

test('the list appears for the next user although a toggle is read at the same time', async () => {
  const page = await renderPage();
  server().hold(LIST);
  act(() => clearUserData({ rereads: true }));
  const list = await server().take(LIST);
  await settle();
  expect(page.list()).toBeUndefined();
  list.respond(listOf(off));
  await settle();
  expect(page.row()?.enabled).toBeDefined();
});

test('an older response never replaces a newer one', async () => {
  const page = await renderPage();
  server().hold(LIST);
  reread(features);
  const older = await server().take(LIST);
  server().on(OWN, { body: off });
  reread(feature('a'));
  await settle();
  older.respond(listOf(on));
  await settle();
  expect([page.row()?.enabled, page.own()?.enabled]).toEqual([false, false]);
});

test('a read that started before a local write completed is repeated if it differs', async () => {
  const page = await renderPage();
  server().hold(LIST);
  reread(features);
  const older = await server().take(LIST);
  act(() => patchToggle('a', { enabled: false }));
  expect([page.row()?.enabled, page.own()?.enabled]).toEqual([false, false]);
  server().release(LIST);
  server().on(LIST, listOf({ ...off, stale: true }));
  older.respond(listOf(on));
  await settle();
  expect(page.row()).toMatchObject({ enabled: false, stale: true });
});

test('a write keeps the fields that another write has changed', async () => {
  const page = await renderPage();
  act(() => patchToggle('a', { enabled: false }));
  act(() => patchToggle('a', { stale: true }));
  expect(page.row()).toMatchObject({ enabled: false, stale: true });
});

test('a list that was requested before does not bring back an archived toggle', async () => {
  const page = await renderPage();
  server().hold(LIST);
  reread(features);
  const older = await server().take(LIST);
  act(() => removeToggle('a'));
  server().release(LIST);
  server().on(LIST, listOf());
  older.respond(listOf(on));
  expect(page.row()).toBeUndefined();
  await settle();
  expect(page.list()?.features).toEqual([]);
});

test('a list that was requested before does not remove a created toggle', async () => {
  const page = await renderPage();
  server().hold(LIST);
  reread(features);
  const older = await server().take(LIST);
  const created = createToggle({ name: 'b' });
  act(() => addToggle(created));
  server().release(LIST);
  server().on(LIST, listOf(on, created));
  older.respond(listOf(on));
  await settle();
  expect(page.list()?.features.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('responses to requests of the user before are ignored', async () => {
  const page = await renderPage();
  server().hold(LIST);
  server().hold(OWN);
  reread(features, feature('a'));
  const [list, own] = [await server().take(LIST), await server().take(OWN)];
  act(() => clearUserData({ rereads: false }));
  list.respond(listOf(on));
  own.respond({ body: on });
  await settle();
  expect([page.list(), page.own()]).toEqual([undefined, undefined]);
});

test('unchanged rows keep their identity', async () => {
  const page = await renderPage();
  const before = page.row();
  server().on(LIST, listOf({ ...on }, createToggle({ name: 'b' })));
  reread(features);
  await settle();
  expect(page.list()?.features).toHaveLength(2);
  expect(page.row()).toBe(before);
});

test('the row of a newer server does not remove the strategies of the page', async () => {
  const page = await renderPage();
  const partial = { ...off, strategies: [], strategiesKnown: false };
  server().on(LIST, listOf(partial));
  reread(features);
  await settle();
  expect(page.own()).toMatchObject({ enabled: false, strategies: on.strategies });
  act(() => patchToggle('a', { enabled: true, strategies: [] }));
  expect(page.row()).toMatchObject({ enabled: true, strategiesKnown: false });
});

test('reads of the list stay conditional after a write, although the page then shows other objects', async () => {
  const page = await renderPage();
  server().on(LIST, { ...listOf(on), headers: { etag: '"1"' } });
  reread(features);
  await settle();
  act(() => patchToggle('a', { enabled: false }));
  // The representation is a weak reference.
  vi.useRealTimers();
  await collectGarbage();
  vi.useFakeTimers();
  for (const response of [{ ...listOf(off), headers: { etag: '"2"' } }, { status: 304 }, { status: 304 }]) {
    server().on(LIST, response);
    reread(features);
    await settle();
  }
  const sent = server().requests.filter(({ line }) => line === LIST);
  expect(sent.slice(-3).map(({ headers }) => headers.get('if-none-match'))).toEqual(['"1"', '"2"', '"2"']);
  expect(page.row()?.enabled).toBe(false);
});

test('a deleted toggle disappears with the next list', async () => {
  const page = await renderPage();
  server().on(LIST, listOf());
  reread(features);
  await settle();
  expect([page.row(), page.own()]).toEqual([undefined, undefined]);
});

test('components without need send no request', async () => {
  renderHook(() => [useToggleList(false), useOwnToggle('a', false), useRead(null)]);
  await settle();
  expect(server().requests).toEqual([]);
});

test('a read of one toggle is repeated if a newer list without strategies was applied before it', async () => {
  const page = await renderPage();
  const strategies = [{ name: 'userWithId', parameters: { userIds: 'ada' } }];
  server().hold(OWN);
  reread(feature('a'));
  const own = await server().take(OWN);
  server().release(OWN);
  server().on(LIST, listOf({ ...off, strategies: [], strategiesKnown: false } as typeof off));
  reread(features);
  await settle();
  server().on(OWN, { body: { ...off, strategies } });
  own.respond({ body: { ...on, strategies } });
  await settle();
  expect(page.own()).toEqual({ ...off, strategies });
  expect(server().count(OWN)).toBe(3);
});

test('a read of one toggle is not repeated if a newer one was applied before it', async () => {
  const page = await renderPage();
  server().hold(OWN);
  reread(feature('a'));
  const older = await server().take(OWN);
  server().release(OWN);
  server().on(OWN, { body: off });
  reread(feature('a'));
  await settle();
  older.respond({ body: on });
  await settle();
  expect(page.own()).toEqual(off);
  expect(server().count(OWN)).toBe(3);
});
