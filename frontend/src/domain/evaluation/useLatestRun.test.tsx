// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { post, write } from '@/api/client';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { useLatestRun } from './useLatestRun';

const server = installFakeServer();
cleanPageAfterEach();

const items = post<void, { names: string[] }>('api/items');
const run = (signal: AbortSignal) => write(items, undefined, { signal });

test('a run that failed in an outage is repeated when the connection returns', async () => {
  server().hold('POST api/items');
  const { result } = renderHook(() => useLatestRun(run));
  (await server().take('POST api/items')).disconnect();
  await settle();
  expect(result.current.error?.isOutage).toBe(true);
  server().release('POST api/items');
  server().on('POST api/items', { body: { names: ['a'] } });
  server().on('POST api/other', { body: {} });
  await write(post('api/other'));
  await settle();
  expect(result.current.result).toEqual({ names: ['a'] });
  expect(result.current.error).toBeUndefined();
});

test('a run that the server refused is not repeated when an outage ends', async () => {
  server().on('POST api/items', { status: 400, body: { message: 'no' } });
  const { result } = renderHook(() => useLatestRun(run));
  await settle();
  server().hold('POST api/other');
  const other = write(post('api/other')).catch(() => undefined);
  (await server().take('POST api/other')).disconnect();
  await other;
  server().release('POST api/other');
  server().on('POST api/other', { body: {} });
  await write(post('api/other'));
  await settle();
  expect(result.current.error?.message).toBe('no');
  expect(server().count('POST api/items')).toBe(1);
});
