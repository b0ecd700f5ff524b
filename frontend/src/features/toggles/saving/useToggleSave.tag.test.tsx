// @vitest-environment happy-dom
// Saves of a toggle that the page has read with a strong entity tag: requests, and events while they wait.
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { authState } from '@/api/authState';
import { archivedFeatures, feature, features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { clearUserData, refreshReads, useRead } from '@/api/useRead';
import { useNewestNotice } from '@/api/notices';
import { noteResponse } from '@/api/outage';
import { patchToggle, useOwnToggle, useToggleList } from '@/api/toggles';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { useToggleSave } from './useToggleSave';

const server = installFakeServer();
cleanPageAfterEach();
afterEach(() => {
  noteResponse('service');
  authState.set(null);
});

const GET = 'GET api/admin/features/a';
const PUT = 'PUT api/admin/features/a';
const LIST = `GET ${features.path}`;
const ARCHIVE = `GET ${archivedFeatures.path}`;
const base = createToggle({ name: 'a' });
const mine = { ...base, description: 'mine' };
const describeMine = (toggle: Toggle) => ({ ...toggle, description: 'mine' });
const tagged = (body: Toggle, tag: string) => ({ body, headers: { etag: tag } });

function usePage() {
  return { own: useOwnToggle('a', true).data, list: useToggleList().data, ...useToggleSave() };
}

/** Renders a page that has read the toggle with this tag. Forgets the requests until then. */
async function renderPage(tag = '"1"') {
  serveConsole(server(), [base]);
  server().on(GET, tagged(base, tag));
  const page = renderHook(usePage);
  await settle();
  server().on(PUT, {});
  server().requests.length = 0;
  return page;
}

type Page = Awaited<ReturnType<typeof renderPage>>;

/** Starts a save. Its result is `pending` until it ends. */
function startSave({ result }: Page, options?: Parameters<Page['result']['current']['save']>[2]) {
  const save: { result: unknown } = { result: 'pending' };
  act(() => {
    result.current.save(base, describeMine, options).then(
      (isStored) => {
        save.result = isStored;
      },
      (failure: unknown) => {
        save.result = failure;
      },
    );
  });
  return save;
}

/** The reads and writes of the toggle, in the order of their starts. */
const requests = () =>
  server()
    .requests.filter(({ line }) => line === GET || line === PUT)
    .map(({ line }) => line.slice(0, 3));
const sentTags = () => server().requests.flatMap((one) => (one.line === PUT ? one.headers.get('if-match') : []));
const newest = () => renderHook(() => useNewestNotice()).result.current;

/** Lets the server refuse the writes until it is named the tag, as Flagdeck does. */
function acceptTag(tag: string) {
  server().on(PUT, ({ headers }) => (headers.get('if-match') === tag ? {} : { status: 412, body: {} }));
}

test('an unchanged toggle is written without a read before, and read once afterwards', async () => {
  const page = await renderPage();
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(true);
  expect(requests()).toEqual(['PUT', 'GET']);
  expect(sentTags()).toEqual(['"1"']);
});

test('the second save needs no read before either', async () => {
  const page = await renderPage();
  server().on(GET, tagged(mine, '"2"'));
  startSave(page);
  await settle();
  server().requests.length = 0;
  const second = startSave(page);
  await settle();
  expect(second.result).toBe(true);
  expect(requests()).toEqual(['PUT', 'GET']);
  expect(sentTags()).toEqual(['"2"']);
});

test('a response with the stored toggle and its tag needs no read at all', async () => {
  const page = await renderPage();
  const stored = { ...mine, strategies: [{ id: '1', name: 'default', parameters: {} }] };
  server().on(PUT, tagged(stored, '"2"'));
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(true);
  expect(page.result.current.own).toEqual(stored);
  expect(page.result.current.list?.features).toEqual([stored]);
  startSave(page);
  await settle();
  expect(requests()).toEqual(['PUT', 'PUT']);
  expect(sentTags()).toEqual(['"1"', '"2"']);
});

test.each(['W/"1"', ''])('a server with this tag needs a read before and after the write: %j', async (tag) => {
  const page = await renderPage(tag);
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(true);
  expect(requests()).toEqual(['GET', 'PUT', 'GET']);
});

test('a toggle that a switch has changed on this page is read first', async () => {
  const page = await renderPage();
  act(() => patchToggle('a', { enabled: false }));
  startSave(page);
  await settle();
  expect(requests()).toEqual(['GET', 'PUT', 'GET']);
});

test('an undo from the log is read first, because it may have nothing to write', async () => {
  const page = await renderPage();
  const save = startSave(page, { purpose: 'undo' });
  await settle();
  expect(save.result).toBe(true);
  expect(requests()).toEqual(['GET', 'PUT', 'GET']);
});

test('a change of another user is merged after the refusal', async () => {
  const page = await renderPage();
  acceptTag('"2"');
  server().on(GET, tagged({ ...base, stale: true }, '"2"'));
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(true);
  expect(requests()).toEqual(['PUT', 'GET', 'PUT', 'GET']);
  expect(server().requests.findLast(({ line }) => line === PUT)?.body).toMatchObject({
    description: 'mine',
    stale: true,
  });
  expect(newest()).toMatchObject({ kind: 'info', text: 'a successfully updated!' });
});

test('two refusals read twice', async () => {
  const page = await renderPage();
  acceptTag('"3"');
  let reads = 1;
  server().on(GET, () => {
    reads += 1;
    return tagged(base, `"${reads}"`);
  });
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(true);
  expect(sentTags()).toEqual(['"1"', '"2"', '"3"']);
  expect(requests()).toEqual(['PUT', 'GET', 'PUT', 'GET', 'PUT', 'GET']);
});

test('a server that always refuses ends the save with a reason', async () => {
  const page = await renderPage();
  acceptTag('"never"');
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(false);
  expect(sentTags()).toHaveLength(5);
  expect(newest()?.text).toBe('Not saved: a keeps changing. Try again in a moment.');
});

test('a conflict with the toggle of the page is asked only if the stored toggle has it', async () => {
  const page = await renderPage();
  server().on(GET, tagged({ ...base, description: 'theirs' }, '"2"'));
  act(() => refreshReads([feature('a')]));
  await settle();
  // The other user takes the change back, before the page reads it.
  server().on(GET, tagged(base, '"1"'));
  server().requests.length = 0;
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(true);
  expect(page.result.current.conflict).toBeFalsy();
  expect(requests()).toEqual(['GET', 'PUT', 'GET']);
});

test('a conflict after the refusal is asked before the next write', async () => {
  const page = await renderPage();
  acceptTag('"2"');
  server().on(GET, tagged({ ...base, description: 'theirs' }, '"2"'));
  const save = startSave(page);
  await settle();
  expect(page.result.current.conflict).toBeTruthy();
  expect([save.result, requests()]).toEqual(['pending', ['PUT', 'GET']]);
});

test('a toggle that was archived meanwhile is not written, and the lists are read again', async () => {
  const page = await renderPage();
  renderHook(() => useRead(archivedFeatures));
  await settle();
  server().requests.length = 0;
  server().on(PUT, { status: 404, body: {} });
  const save = startSave(page);
  await settle();
  expect(save.result).toBe(false);
  expect([server().count(PUT), server().count(LIST), server().count(ARCHIVE)]).toEqual([1, 1, 1]);
  expect(newest()?.kind).toBe('error');
});

test('a poll that arrives during the write does not replace the stored toggle', async () => {
  const page = await renderPage();
  server().hold(PUT);
  startSave(page);
  const request = await server().take(PUT);
  // The server has processed the poll before the write.
  server().on(GET, tagged({ ...base, lastSeenAt: '2026-01-02T00:00:00.000Z' }, '"1"'));
  act(() => refreshReads([feature('a')]));
  await settle();
  server().on(GET, tagged(mine, '"2"'));
  request.respond(tagged(mine, '"2"'));
  await settle();
  expect(page.result.current.own?.description).toBe('mine');
});

test('a change that a poll has shown during the write is shown again', async () => {
  const page = await renderPage();
  const later = { ...mine, description: 'later' };
  server().hold(PUT);
  const save = startSave(page);
  const request = await server().take(PUT);
  // The server has processed the write, a change of another user, and the poll. Only the response is late.
  server().on(GET, tagged(later, '"3"'));
  act(() => refreshReads([feature('a')]));
  await settle();
  request.respond(tagged(mine, '"2"'));
  await settle();
  expect(save.result).toBe(true);
  expect(page.result.current.own).toEqual(later);
});

test('a poll that started before the write ended does not bring back the state before', async () => {
  const page = await renderPage();
  server().hold(GET);
  act(() => refreshReads([feature('a')]));
  const poll = await server().take(GET);
  server().release(GET);
  server().on(PUT, tagged(mine, '"2"'));
  server().on(GET, tagged(mine, '"2"'));
  startSave(page);
  await settle();
  poll.respond(tagged(base, '"1"'));
  await settle();
  expect(page.result.current.own?.description).toBe('mine');
});

test('an outage during the write ends the save; the next one starts from the stored toggle', async () => {
  const page = await renderPage();
  server().hold(PUT);
  const save = startSave(page);
  (await server().take(PUT)).disconnect();
  await settle();
  expect([save.result, requests()]).toEqual([false, ['PUT']]);
  // The lost response was that of a completed write.
  server().release(PUT);
  acceptTag('"2"');
  server().on(GET, tagged(mine, '"2"'));
  const next = startSave(page);
  await settle();
  expect(next.result).toBe(true);
  expect(requests()).toEqual(['PUT', 'PUT', 'GET', 'PUT', 'GET']);
});

test('an outage during the read after a refusal ends the save without another write', async () => {
  const page = await renderPage();
  acceptTag('"2"');
  server().hold(GET);
  const save = startSave(page);
  (await server().take(GET)).disconnect();
  await settle();
  expect([save.result, requests()]).toEqual([false, ['PUT', 'GET']]);
});

test('an outage during the read after the write counts as stored, and the next save reads first', async () => {
  const page = await renderPage();
  server().hold(GET);
  const save = startSave(page);
  (await server().take(GET)).disconnect();
  await settle();
  expect(save.result).toBe(true);
  server().release(GET);
  server().on(GET, tagged(mine, '"2"'));
  server().requests.length = 0;
  startSave(page);
  await settle();
  expect(requests()).toEqual(['GET', 'PUT', 'GET']);
  expect(sentTags()).toEqual(['"2"']);
});

test('a page that is left during the write completes it, with one read', async () => {
  const page = await renderPage();
  server().hold(PUT);
  const save = startSave(page);
  const request = await server().take(PUT);
  page.unmount();
  request.respond();
  await settle();
  expect(save.result).toBe(true);
  expect(requests()).toEqual(['PUT', 'GET']);
});

test('a page that is left after a refusal completes the save', async () => {
  const page = await renderPage();
  acceptTag('"2"');
  server().hold(GET);
  const save = startSave(page);
  const request = await server().take(GET);
  page.unmount();
  server().release(GET);
  request.respond(tagged(base, '"2"'));
  await settle();
  expect([save.result, sentTags()]).toEqual([true, ['"1"', '"2"']]);
});

test('a sign-out in another tab during the write opens the sign-in dialog, and only the same user repeats it', async () => {
  const page = await renderPage();
  server().hold(PUT);
  const save = startSave(page);
  const request = await server().take(PUT);
  request.respond({ status: 401, body: { type: 'unsecure', path: '/login', message: 'Who are you?' } });
  await settle();
  expect([save.result, requests()]).toEqual(['pending', ['PUT']]);
  expect(authState.get()).not.toBeNull();
  act(() => clearUserData({ rereads: false }));
  await settle();
  expect([save.result, requests()]).toEqual([false, ['PUT']]);
});

test.each([
  ['a stored toggle', tagged(mine, '"2"')],
  ['an empty response', {}],
  ['a refusal', { status: 412, body: {} }],
  ['a toggle that is gone', { status: 404, body: {} }],
  ['a half saved toggle', { status: 400, body: { code: 'half_saved', message: 'half', toggle: mine } }],
])('a change of the user during the write hides its outcome: %s', async (_, response) => {
  const page = await renderPage();
  server().hold(PUT);
  const save = startSave(page);
  const request = await server().take(PUT);
  act(() => clearUserData({ rereads: true }));
  await settle();
  const reads = server().requests.length;
  request.respond(response);
  await settle();
  expect(save.result).toBe(false);
  expect(page.result.current.own).toEqual(base);
  expect(newest()).toBeUndefined();
  expect(server().requests).toHaveLength(reads);
});

test('a change of the user after a refusal sends no second write', async () => {
  const page = await renderPage();
  acceptTag('"2"');
  server().hold(GET);
  const save = startSave(page);
  const request = await server().take(GET);
  server().release(GET);
  act(() => clearUserData({ rereads: false }));
  request.respond(tagged(base, '"2"'));
  await settle();
  expect([save.result, server().count(PUT)]).toEqual([false, 1]);
});

test('two saves at once are written one after the other', async () => {
  const page = await renderPage();
  server().hold(PUT);
  const [first, second] = [startSave(page), startSave(page)];
  const request = await server().take(PUT);
  await settle();
  expect(server().count(PUT)).toBe(1);
  request.respond(tagged(mine, '"2"'));
  await settle();
  (await server().take(PUT)).respond(tagged(mine, '"2"'));
  await settle();
  expect([first.result, second.result, sentTags()]).toEqual([true, true, ['"1"', '"2"']]);
});
