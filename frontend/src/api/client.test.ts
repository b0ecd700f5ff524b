// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { get, post, read, write } from './client';
import { ApiError } from './error';

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
