// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { advance, cleanPageAfterEach, setHidden, settle } from '@/testing/page';
import { get } from './client';
import { useRead } from './hooks';

const server = installFakeServer();
cleanPageAfterEach();

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
