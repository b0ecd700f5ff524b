// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { advance, cleanPageAfterEach, settle } from '@/testing/page';
import { events } from './endpoints';
import type { Event } from './generated/types';
import { clearUserData, refreshReads } from './useRead';
import { useNewestNotice } from './notices';
import { useEventPages } from './useEventPages';

const server = installFakeServer();
cleanPageAfterEach();

const GET = 'GET api/admin/events';
const before = (id: number) => `${GET}?before=${id}`;

/** Events from a newer id to an older one. */
function range(newest: number, oldest: number): Event[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => ({
    id: newest - index,
    type: 'feature-updated',
    createdBy: 'ada',
    createdAt: `2026-01-05T10:00:00.${String(newest - index).padStart(3, '0')}Z`,
    data: { name: 'a' },
    diffs: [],
  }));
}

/** A page from a newer id to an older one. Older events follow unless it contains the first. */
function page(newest: number, oldest: number) {
  return { body: { version: 1, events: range(newest, oldest), ...(oldest > 1 && { nextBefore: oldest }) } };
}

function renderPages() {
  const { result, unmount } = renderHook(() => useEventPages(events));
  return {
    get pages() {
      return result.current;
    },
    ids: () => result.current.events?.map(({ id }) => id),
    loadOlder: (...args: Parameters<typeof result.current.loadOlder>) => act(() => result.current.loadOlder(...args)),
    unmount,
  };
}

const ids = (newest: number, oldest: number) => range(newest, oldest).map(({ id }) => id);

async function reread(newest: number, oldest: number): Promise<void> {
  server().on(GET, page(newest, oldest));
  act(() => refreshReads([events]));
  await settle();
}

test('a server without pages has no older events', async () => {
  server().on(GET, { body: { version: 1, events: range(9, 5) } });
  const history = renderPages();
  expect(history.pages.events).toBeUndefined();
  await settle();
  expect(history.ids()).toEqual(ids(9, 5));
  expect(history.pages.hasOlder).toBe(false);
  history.loadOlder();
  await settle();
  expect(server().requests).toHaveLength(1);
});

test('reads one page at a time until the first event', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  server().on(before(4), page(3, 1));
  const history = renderPages();
  await settle();
  expect(history.pages.hasOlder).toBe(true);
  history.loadOlder();
  expect(history.pages.isLoadingOlder).toBe(true);
  await settle();
  expect(history.pages.isLoadingOlder).toBe(false);
  expect(history.ids()).toEqual(ids(9, 4));
  history.loadOlder();
  await settle();
  expect(history.ids()).toEqual(ids(9, 1));
  expect(history.pages.hasOlder).toBe(false);
});

test('events that arrive while an older page is read are neither repeated nor skipped', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  server().hold(before(7));
  const history = renderPages();
  await settle();
  history.loadOlder();
  const older = await server().take(before(7));
  await reread(11, 9);
  // Event 7 and 8 are not in the newest page any more.
  expect(history.ids()).toEqual(ids(11, 7));
  older.respond();
  await settle();
  expect(history.ids()).toEqual(ids(11, 4));
});

test('a page that arrives after more new events than a page holds is not joined with them', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  server().hold(before(7));
  const history = renderPages();
  await settle();
  history.loadOlder();
  const older = await server().take(before(7));
  await reread(20, 18);
  older.respond();
  await settle();
  expect(history.ids()).toEqual(ids(20, 18));
  server().on(before(18), page(17, 15));
  history.loadOlder();
  await settle();
  expect(history.ids()).toEqual(ids(20, 15));
});

test('events that new ones push out of the newest page are kept once older ones are shown', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  const history = renderPages();
  await settle();
  history.loadOlder();
  await settle();
  for (const newest of [10, 12, 14]) {
    await reread(newest, newest - 2);
    expect(history.ids()).toEqual(ids(newest, 4));
  }
  server().on(before(4), page(3, 1));
  history.loadOlder();
  await settle();
  expect(history.ids()).toEqual(ids(14, 1));
});

test('more new events than a page holds leave no gap: older events are read again', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  const history = renderPages();
  await settle();
  history.loadOlder();
  await settle();
  await reread(20, 18);
  expect(history.ids()).toEqual(ids(20, 18));
  expect(history.pages.hasOlder).toBe(true);
  server().on(before(18), page(17, 15));
  history.loadOlder();
  await settle();
  expect(history.ids()).toEqual(ids(20, 15));
});

test('events of a restored backup, which use ids again, are not joined with those of before', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  const history = renderPages();
  await settle();
  history.loadOlder();
  await settle();
  const restored = range(7, 5).map((event) => ({ ...event, createdAt: '2026-02-01T00:00:00.000Z' }));
  server().on(GET, { body: { version: 1, events: restored, nextBefore: 5 } });
  act(() => refreshReads([events]));
  await settle();
  expect(history.pages.events).toEqual(restored);
});

test('two clicks read a page once', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  server().hold(before(7));
  const history = renderPages();
  await settle();
  const { loadOlder } = history.pages;
  act(() => {
    loadOlder();
    loadOlder();
  });
  server().respondToAll(before(7));
  await settle();
  expect(history.ids()).toEqual(ids(9, 4));
});

test('a search reads pages until one is enough', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 5));
  server().on(before(5), page(4, 3));
  const history = renderPages();
  await settle();
  history.loadOlder((older) => older.some(({ id }) => id === 4));
  await settle();
  expect(history.ids()).toEqual(ids(9, 3));
  expect(history.pages.hasOlder).toBe(true);
});

test('a search that finds nothing stops after ten pages', async () => {
  server().on(GET, page(99, 98));
  for (let id = 98; id > 2; id -= 2) server().on(before(id), page(id - 1, id - 2));
  const history = renderPages();
  await settle();
  history.loadOlder(() => false);
  await settle();
  expect(history.ids()).toEqual(ids(99, 78));
  expect(history.pages.hasOlder).toBe(true);
  expect(history.pages.isLoadingOlder).toBe(false);
});

test('a page that cannot be read is reported in place, and can be read again', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), { status: 500, body: {} });
  const history = renderPages();
  const notice = renderHook(() => useNewestNotice()).result;
  await settle();
  history.loadOlder();
  await settle();
  expect(history.pages.olderError?.status).toBe(500);
  expect(history.pages.isLoadingOlder).toBe(false);
  expect(history.ids()).toEqual(ids(9, 7));
  expect(notice.current).toBeUndefined();
  server().on(before(7), page(6, 4));
  history.loadOlder();
  await settle();
  expect(history.pages.olderError).toBeUndefined();
  expect(history.ids()).toEqual(ids(9, 4));
});

test('after an expired session, the sign-in dialog shows the failure', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), { status: 401, body: { type: 'unsecure', path: '/login', message: 'Who are you?' } });
  const history = renderPages();
  await settle();
  history.loadOlder();
  await settle();
  expect(history.pages.olderError).toBeUndefined();
  expect(history.pages.isLoadingOlder).toBe(false);
});

test('older events of one user are not shown to the next', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  const history = renderPages();
  await settle();
  history.loadOlder();
  await settle();
  act(() => clearUserData({ rereads: true }));
  await settle();
  expect(history.ids()).toEqual(ids(9, 7));
});

test('a page that arrives after another user has signed in is dropped, and nothing more is read', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 4));
  server().hold(before(7));
  const history = renderPages();
  await settle();
  history.loadOlder(() => false);
  const older = await server().take(before(7));
  act(() => clearUserData({ rereads: true }));
  older.respond();
  await settle();
  expect(history.ids()).toEqual(ids(9, 7));
  expect(history.pages.isLoadingOlder).toBe(false);
  expect(server().count(before(4))).toBe(0);
  server().release(before(7));
  history.loadOlder();
  await settle();
  expect(history.ids()).toEqual(ids(9, 4));
});

test('a search ends when the page is left, after each response', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), page(6, 5));
  server().on(before(5), page(4, 3));
  for (const last of [before(7), before(5)]) {
    server().hold(last);
    const history = renderPages();
    await settle();
    history.loadOlder(() => false);
    await settle();
    const request = await server().take(last);
    const sent = server().requests.length;
    history.unmount();
    request.respond();
    await advance(1000);
    expect(server().requests).toHaveLength(sent);
    server().release(last);
  }
});

test('a page that fails after the history was left is not reported', async () => {
  server().on(GET, page(9, 7));
  server().on(before(7), { status: 500, body: {} });
  server().hold(before(7));
  const history = renderPages();
  await settle();
  history.loadOlder();
  const request = await server().take(before(7));
  history.unmount();
  request.respond();
  await settle();
  expect(server().count(before(7))).toBe(1);
});
