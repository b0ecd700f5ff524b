// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { get, post, put, read, write } from './client';
import { ApiError } from './error';
import { strongTagOf } from './representations';

const server = installFakeServer();
const caught = (promise: Promise<unknown>) => promise.catch((failure: unknown) => failure);

test.each([
  ['read', 60, () => read(get('api/slow')), 'Check your connection, then try again.'],
  [
    'write',
    90,
    () => write(post('api/slow')),
    'The change may have been stored: check the current state, then try again.',
  ],
  ['evaluation', 120, () => write(post('-/evaluate')), 'Check your connection, then try again.'],
  ['upload', 300, () => write(post<Blob>('api/slow'), new Blob(['x'])), 'The change may have been stored'],
] as const)('a %s fails after %d seconds without a response', async (_, seconds, send, advice) => {
  for (const line of ['GET api/slow', 'POST api/slow', 'POST -/evaluate']) server().hold(line);
  const failure = caught(send());
  let hasEnded = false;
  void failure.then(() => {
    hasEnded = true;
  });
  await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const error = await failure;
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 0, hop: 'timeout', isOutage: false });
  expect(String(error)).toContain(`did not respond within ${seconds} seconds. ${advice}`);
  expect(server().requests[0]?.signal?.aborted).toBe(true);
});

test('the deadline includes the body of the response', async () => {
  vi.stubGlobal('fetch', async () => new Response(new ReadableStream({ start: () => undefined })));
  const failure = caught(read(get('api/items')));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failure).toMatchObject({ hop: 'timeout' });
});

test('an aborted request fails with the reason of its signal', async () => {
  server().hold('GET api/slow');
  const controller = new AbortController();
  const failure = caught(read(get('api/slow'), { signal: controller.signal }));
  controller.abort();
  expect(await failure).toMatchObject({ name: 'AbortError' });
  expect(await caught(read(get('api/slow'), { signal: controller.signal }))).toMatchObject({ name: 'AbortError' });
  expect(server().requests).toHaveLength(1);
});

test('a network error is an outage', async () => {
  server().hold('POST api/items');
  const failure = caught(write(post('api/items')));
  (await server().take('POST api/items')).disconnect();
  expect(await failure).toMatchObject({ status: 0, hop: 'network', isOutage: true });
});

test('a page instead of JSON is a failure of a read, also with status 200', async () => {
  server().on('GET api/items', { body: '<html>' });
  expect(await caught(read(get('api/items')))).toMatchObject({ status: 200, hop: 'server' });
});

test('an error of Flagdeck itself names it as the hop', async () => {
  const headers = { 'x-flagdeck-error': 'read_only' };
  server().on('POST api/items', { status: 403, body: { message: 'read-only' }, headers });
  expect(await caught(write(post('api/items')))).toMatchObject({ hop: 'binary', message: 'read-only' });
});

test('an unchanged response returns the data of the last one', async () => {
  server().on('GET api/tagged', { body: { names: ['a'] }, headers: { etag: '"1"' } });
  const endpoint = get<object>('api/tagged', { normalise: () => undefined });
  await read(endpoint);
  server().on('GET api/tagged', (request) => ({ status: request.headers.get('If-None-Match') === '"1"' ? 304 : 500 }));
  expect(await read(endpoint)).toEqual({ names: ['a'] });
});

test('a write sends the tag of the version that it replaces', async () => {
  server().on('POST api/items', { body: { id: 1 } });
  const normalise = vi.fn();
  expect(await write(post<object, object>('api/items', { normalise }), {}, { ifMatch: '"1"' })).toEqual({ id: 1 });
  expect(normalise).toHaveBeenCalledOnce();
  expect(server().requests[0]?.headers.get('If-Match')).toBe('"1"');
});

test('the first read of the toggles uses the request that the page has already sent', async () => {
  globalThis.earlyList = Promise.resolve(new Response('{"features":[]}'));
  expect(await read(get('api/admin/features'))).toEqual({ features: [] });
  expect(server().requests).toEqual([]);
});

test.each([
  ['read', 'GET', () => read(get('api/items')), 'Check your connection, then try again.'],
  [
    'write',
    'PUT',
    () => write(put('api/items')),
    'The change may have been stored: check the current state, then try again.',
  ],
] as const)('a %s whose connection is lost within the response fails', async (_, method, send, advice) => {
  server().hold(`${method} api/items`);
  const failure = caught(send());
  (await server().take(`${method} api/items`)).disconnectInBody();
  const error = await failure;
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 0, hop: 'network', isOutage: false });
  expect(String(error)).toContain(`was lost. ${advice}`);
});

test('the tag of a stored item is that of the response to its write', async () => {
  server().on('PUT api/items', { body: { id: 1 }, headers: { etag: '"2"' } });
  const stored = await write(put<void, object>('api/items'));
  expect(stored && strongTagOf(stored)).toBe('"2"');
});
