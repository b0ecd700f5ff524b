// @vitest-environment happy-dom

import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { adoptUser } from '@/features/session/sessionChange';
import { installFakeServer } from '@/testing/fakeServer';
import { advance, cleanPageAfterEach, setHidden, settle } from '@/testing/page';
import { authState, unfinishedActions } from './authState';
import { get, post } from './client';
import { patch, refreshAllData, refreshReads, useAnnouncedRead, useCombinedRead, useRead, useReadAll } from './useRead';
import { useWrite } from './useWrite';
import { dismiss, useNewestNotice, useNoticeLog } from './notices';
import { currentOutage, noteResponse } from './outage';

const server = installFakeServer();
cleanPageAfterEach();
afterEach(() => {
  authState.set(null);
  noteResponse('service');
});

test('components that read one endpoint share one request', async () => {
  server().hold('GET api/items');
  const items = get<{ names: string[] }>('api/items');
  const first = renderHook(() => useRead(items));
  const second = renderHook(() => useRead(items));
  const request = await server().take('GET api/items');
  expect(first.result.current.isLoading).toBe(true);
  request.respond({ body: { names: ['a'] } });
  await settle();
  expect(first.result.current.data).toEqual({ names: ['a'] });
  expect(second.result.current.data).toEqual({ names: ['a'] });
  expect(server().count('GET api/items')).toBe(1);
});

test('retries a temporary failure after one second and shows the data', async () => {
  server().on('GET api/items', { status: 503, body: { message: 'busy' } });
  const { result } = renderHook(() => useRead(get<{ names: string[] }>('api/items')));
  await settle();
  expect(result.current.error?.status).toBe(503);
  server().on('GET api/items', { body: { names: ['a'] } });
  await advance(999);
  expect(server().count('GET api/items')).toBe(1);
  await advance(1);
  expect(result.current.data).toEqual({ names: ['a'] });
  expect(result.current.error).toBeUndefined();
  act(() => result.current.reload());
  await settle();
  expect(server().count('GET api/items')).toBe(3);
});

test('a retry that is due in a hidden tab runs when the tab is shown', async () => {
  server().on('GET api/items', { status: 503, body: {} });
  const { result } = renderHook(() => useRead(get<{ names: string[] }>('api/items')));
  await settle();
  setHidden(true);
  await advance(5000);
  expect(server().count('GET api/items')).toBe(1);
  server().on('GET api/items', { body: { names: ['a'] } });
  setHidden(false);
  await settle();
  expect(result.current.data).toEqual({ names: ['a'] });
});

const GET = 'GET api/items';
const POST = 'POST api/items';
const items = get<{ names: string[] }>('api/items');
const named = get<{ names: string[] }>('api/items', { failureText: 'No items' });
const polled = get<{ names: string[] }>('api/items', { pollMs: 5000 });
const create = post<object, { names: string[] }>('api/items');
const SIGN_IN = { status: 401, body: { type: 'unsecure', path: '/login', message: 'Who are you?' } };
const BUSY = { status: 503, body: {} };
const shown = () => renderHook(() => useNewestNotice()).result.current;
const problems = () => renderHook(() => useNoticeLog()).result.current;

/** Starts a write; its outcome is the response or the failure. */
function startWrite(options?: Parameters<ReturnType<typeof useWrite>['send']>[1]) {
  const { result } = renderHook(() => useWrite());
  const outcome: { current: unknown } = { current: 'pending' };
  act(() => {
    result.current.send(create, { body: {}, ...options } as object).then(
      (data) => {
        outcome.current = data;
      },
      (failure: unknown) => {
        outcome.current = failure;
      },
    );
  });
  return outcome;
}

test('an expired session opens the sign-in dialog, and the page beneath stays as it is', async () => {
  server().on(GET, { body: { names: ['a'] } });
  const { result } = renderHook(() => useAnnouncedRead(named));
  await settle();
  server().on(GET, SIGN_IN);
  act(() => result.current.reload());
  await settle();
  expect(authState.get()).toEqual(SIGN_IN.body);
  expect([result.current.data, result.current.error]).toEqual([{ names: ['a'] }, undefined]);
  expect(shown()).toBeUndefined();
  await advance(10_000);
  expect(server().count(GET)).toBe(2);
});

test('an expired session during a poll opens no dialog, and the poll goes on', async () => {
  server().on(GET, { body: { names: ['a'] } });
  const { result } = renderHook(() => useAnnouncedRead(polled, { polls: true }));
  await settle();
  server().on(GET, SIGN_IN);
  await advance(5000);
  expect(authState.get()).toBeNull();
  expect([result.current.data, result.current.error]).toEqual([{ names: ['a'] }, undefined]);
  server().on(GET, { body: { names: ['b'] } });
  await advance(5000);
  expect(result.current.data).toEqual({ names: ['b'] });
});

/** Starts a write whose session has expired, and opens the sign-in dialog. */
async function startExpiredWrite() {
  server().on(POST, SIGN_IN);
  const outcome = startWrite();
  await settle();
  expect(authState.get()).toEqual(SIGN_IN.body);
  expect([outcome.current, unfinishedActions.get()]).toEqual(['pending', 1]);
  return outcome;
}

test('a write of an expired session is sent again after each sign-in of the same user, without a message', async () => {
  const outcome = await startExpiredWrite();
  act(() => authState.set(null));
  await settle();
  expect([outcome.current, server().count(POST)]).toEqual(['pending', 2]);
  expect(authState.get()).toEqual(SIGN_IN.body);
  server().on(POST, { body: { names: ['a'] } });
  act(() => authState.set(null));
  await settle();
  expect(outcome.current).toEqual({ names: ['a'] });
  expect([server().count(POST), unfinishedActions.get()]).toEqual([3, 0]);
  expect(shown()).toBeUndefined();
});

test('a write of an expired session is not sent for another user', async () => {
  const outcome = await startExpiredWrite();
  await act(() => adoptUser({ username: 'ada' }, { username: 'eve' }));
  await settle();
  expect(outcome.current).toMatchObject({ name: 'AbortError' });
  expect([server().count(POST), unfinishedActions.get()]).toEqual([1, 0]);
});

test('the read before a write is repeated like the write', async () => {
  server().on(GET, SIGN_IN);
  const { result } = renderHook(() => useWrite());
  let names: readonly string[] = [];
  void result.current.fetchFresh(items).then((data) => {
    names = data.names;
  });
  await settle();
  expect(unfinishedActions.get()).toBe(1);
  server().on(GET, { body: { names: ['a'] } });
  act(() => authState.set(null));
  await settle();
  expect(names).toEqual(['a']);
});

test('a failure that a component announces is shown once, also after all retries', async () => {
  server().on(GET, BUSY);
  renderHook(() => useAnnouncedRead(named));
  await settle();
  expect(shown()?.text).toBe('No items: Unexpected exception when talking to the Flagdeck API (status 503)');
  await advance(60_000);
  expect(server().count(GET)).toBe(4);
  expect(problems()).toMatchObject([{ count: 4 }]);
});

test('a failure is only listed while no component announces it, whichever started the request', async () => {
  server().on(GET, BUSY);
  renderHook(() => useRead(named));
  await settle();
  expect(shown()).toBeUndefined();
  expect(problems()).toHaveLength(1);
  const [first, second] = [0, 1].map(() => renderHook(() => useAnnouncedRead(named)));
  first?.unmount();
  act(() => refreshReads([items]));
  await settle();
  expect(shown()?.text).toContain('No items');
  expect(problems()).toHaveLength(1);
  const { id = 0 } = shown() ?? {};
  act(() => dismiss(id));
  second?.unmount();
  act(() => refreshReads([items]));
  await settle();
  expect(shown()).toBeUndefined();
});

test('a refusal is not repeated', async () => {
  server().on(GET, { status: 403, body: { message: 'no' } });
  const { result } = renderHook(() => useRead(items));
  await advance(60_000);
  expect(result.current.error?.status).toBe(403);
  expect(server().count(GET)).toBe(1);
});

test('an endpoint that some servers lack is neither reported nor repeated', async () => {
  server().on(GET, { status: 404, body: {} });
  const { result } = renderHook(() => useAnnouncedRead(get('api/items', { mayBeAbsent: true })));
  await advance(60_000);
  expect(result.current.error?.status).toBe(404);
  expect([server().count(GET), problems()]).toEqual([1, []]);
});

test('an outage is shown by its banner alone, and the next response ends it', async () => {
  server().hold(GET);
  const { result } = renderHook(() => useAnnouncedRead(named));
  (await server().take(GET)).disconnect();
  await settle();
  expect(currentOutage()?.hop).toBe('network');
  expect(shown()).toBeUndefined();
  expect(problems()).toHaveLength(1);
  server().release(GET);
  server().on(GET, { body: { names: ['a'] } });
  await advance(1000);
  expect(currentOutage()).toBeUndefined();
  expect(result.current.data).toEqual({ names: ['a'] });
});

test('reads that fail in one outage are one problem', async () => {
  const failure = (message: string) => ({
    status: 502,
    body: { code: 'upstream_unreachable', message },
    headers: { 'content-type': 'application/json', 'x-flagdeck-error': 'upstream_unreachable' },
  });
  server().on(GET, failure('The flag service at h:1 cannot be reached: refused'));
  server().on('GET api/others', failure('The flag service at h:1 does not respond. Flagdeck tries again in 4 s'));
  renderHook(() => useAnnouncedRead(named));
  await settle();
  renderHook(() => useRead(get('api/others')));
  await settle();
  expect(currentOutage()?.hop).toBe('upstream');
  expect(problems()).toHaveLength(1);
  expect(problems()[0]).toMatchObject({ text: 'The flag service at h:1 cannot be reached: refused', count: 2 });
});

test('a component that unmounts during a read shows nothing, and the next one reads again', async () => {
  server().hold(GET);
  const { unmount } = renderHook(() => useRead(items));
  const request = await server().take(GET);
  unmount();
  request.respond(BUSY);
  await advance(10_000);
  server().release(GET);
  server().on(GET, { body: { names: ['a'] } });
  const { result } = renderHook(() => useRead(items));
  await settle();
  expect(result.current.data).toEqual({ names: ['a'] });
});

test('combined reads are complete when all are, and repeated together', async () => {
  const other = get<{ names: string[] }>('api/others');
  server().on(GET, { body: { names: ['a'] } });
  server().hold('GET api/others');
  const { result } = renderHook(() => useReadAll([items, other]));
  const request = await server().take('GET api/others');
  await settle();
  expect(result.current.data).toBeUndefined();
  request.respond({ body: { names: ['b'] } });
  await settle();
  expect(result.current.data).toEqual([{ names: ['a'] }, { names: ['b'] }]);
  server().release('GET api/others');
  server().on('GET api/others', { body: { names: ['c'] } });
  act(() => refreshReads([other]));
  await settle();
  expect(result.current.data).toEqual([{ names: ['a'] }, { names: ['c'] }]);
  act(() => result.current.reload());
  await settle();
  expect(server().count(GET)).toBe(3);
});

test('an empty list of combined reads is complete at once', () => {
  const { result } = renderHook(() => useReadAll([]));
  expect(result.current.data).toEqual([]);
});

test('a combined read that fails is listed and repeated after a second', async () => {
  server().on(GET, BUSY);
  const { result } = renderHook(() => useReadAll([items]));
  await settle();
  expect(result.current.error?.status).toBe(503);
  expect([shown(), problems().length]).toEqual([undefined, 1]);
  server().on(GET, { body: { names: ['a'] } });
  await advance(1000);
  expect(result.current.data).toEqual([{ names: ['a'] }]);
});

test('a combined read shows no error beneath the sign-in dialog, and fails with other errors than those of requests', async () => {
  server().on(GET, SIGN_IN);
  const first = renderHook(() => useReadAll([items]));
  const second = renderHook(() => useCombinedRead(['api/defect'], () => Promise.reject(new TypeError('defect'))));
  await settle();
  expect(first.result.current.error).toBeUndefined();
  expect(second.result.current.error).toBeInstanceOf(TypeError);
});

test('a write shows its failure once, or leaves it to its caller', async () => {
  server().on(POST, { status: 400, body: { message: 'refused' } });
  startWrite({ inline: true });
  await settle();
  expect([shown(), problems().length]).toEqual([undefined, 1]);
  startWrite();
  startWrite();
  await settle();
  expect(shown()?.text).toBe('refused');
  expect(problems()).toMatchObject([{ count: 3 }]);
});

test('a write of a changed item is left to its caller, which reads and tries again', async () => {
  server().on(POST, { status: 412, body: {} });
  const outcome = startWrite();
  await settle();
  expect(outcome.current).toMatchObject({ status: 412 });
  expect(problems()).toEqual([]);
});

test('a write patches the cached data and reads the named endpoints again', async () => {
  const other = get<object>('api/others');
  server().on(GET, { body: { names: ['a'] } });
  server().on('GET api/others', { body: {} });
  server().on(POST, { body: { names: ['b'] } });
  const { result } = renderHook(() => [useRead(items).data, useRead(other).data]);
  await settle();
  startWrite({
    patches: () => [
      patch(items, ({ names }) => ({ names: [...names, 'b'] })),
      // Data that was never read stays unread.
      patch(get<number>('api/unread'), (count) => count + 1),
    ],
    refreshes: [other],
  });
  await settle();
  expect(result.current[0]).toEqual({ names: ['a', 'b'] });
  expect([server().count(GET), server().count('GET api/others')]).toEqual([1, 2]);
});

test('a write to an item that no longer exists reads the data of the page again', async () => {
  server().on(GET, { body: { names: ['a'] } });
  server().on(POST, { status: 404, body: {} });
  renderHook(() => useRead(items));
  await settle();
  startWrite({ refreshes: [items] });
  await settle();
  expect(server().count(GET)).toBe(2);
});

test.each([
  ['strong', { body: {}, headers: { etag: '"1"' } }, '"1"'],
  ['weak', { body: {}, headers: { etag: 'W/"1"' } }, undefined],
  ['missing endpoint', { status: 404, body: {} }, undefined],
])('reads the entity tag of an item: %s', async (_, response, tag) => {
  server().on(GET, response);
  const { result } = renderHook(() => useWrite());
  await act(async () => expect(await result.current.fetchTag(items)).toBe(tag));
});

test('a failed read of an entity tag fails the write that needs it', async () => {
  server().on(GET, { status: 500, body: {} });
  const { result } = renderHook(() => useWrite());
  await act(() => expect(result.current.fetchTag(items, { inline: true })).rejects.toMatchObject({ status: 500 }));
  expect(shown()).toBeUndefined();
});

test('all data on screen is read again after a sign-in as the same user', async () => {
  server().on(GET, { body: { names: ['a'] } });
  const { result } = renderHook(() => useRead(items));
  await settle();
  server().hold(GET);
  act(() => void refreshAllData());
  const request = await server().take(GET);
  expect(result.current.data).toEqual({ names: ['a'] });
  request.respond({ body: { names: ['b'] } });
  await settle();
  expect(result.current.data).toEqual({ names: ['b'] });
});
