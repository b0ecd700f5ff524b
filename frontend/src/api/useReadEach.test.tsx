// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { get } from './client';
import { clearUserData } from './useRead';
import { useNoticeLog } from './notices';
import { useReadEach } from './useReadEach';

const server = installFakeServer();
cleanPageAfterEach();

const endpoints = Array.from({ length: 10 }, (_, number) => get<object>(`api/items/${number}`));
const lines = endpoints.map(({ path }) => `GET ${path}`);
const sent = () => lines.filter((line) => server().count(line) > 0).length;
const problems = () => renderHook(() => useNoticeLog()).result.current;

/** Starts the reads; the test responds to each. */
async function start() {
  for (const line of lines) server().hold(line);
  const page = renderHook(() => useReadEach(endpoints));
  await settle();
  return page;
}

test('reads four at once, counts the finished ones, and a failure does not stop the others', async () => {
  const page = await start();
  expect([sent(), page.result.current.done]).toEqual([4, 0]);
  (await server().take('GET api/items/0')).respond({ status: 403, body: { message: 'no' } });
  await settle();
  expect([sent(), page.result.current.done]).toEqual([5, 1]);
  for (const line of lines.slice(1)) (await server().take(line)).respond({ body: {} });
  await settle();
  expect(page.result.current.outcomes?.map((outcome) => 'status' in outcome)).toEqual([
    true,
    ...Array.from({ length: 9 }, () => false),
  ]);
  expect(problems()).toMatchObject([{ text: 'no' }]);
});

test('an expired session stops the reads', async () => {
  const page = await start();
  (await server().take('GET api/items/0')).respond({ status: 401, body: {} });
  await settle();
  for (const line of lines.slice(1, 4)) (await server().take(line)).respond({ body: {} });
  await settle();
  expect([sent(), page.result.current.outcomes]).toEqual([4, undefined]);
});

test('a change of the user stops the reads, and the next user sees neither their progress nor their failures', async () => {
  const page = await start();
  const running = await Promise.all(lines.slice(0, 4).map((line) => server().take(line)));
  page.unmount();
  act(() => clearUserData({ rereads: true }));
  const next = renderHook(() => useReadEach(undefined));
  for (const request of running) request.respond({ status: 403, body: { message: 'secret' } });
  await settle();
  expect([sent(), next.result.current.done, problems()]).toEqual([4, 0, []]);
});
