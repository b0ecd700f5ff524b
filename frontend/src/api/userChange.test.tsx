// @vitest-environment happy-dom
// Requests of a user that end after another user has signed in: they change nothing, and ask and tell the next user nothing.
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { advance, cleanPageAfterEach, settle } from '@/testing/page';
import { authState } from './authState';
import { get, put } from './client';
import { featureMetrics, features } from './endpoints';
import { environmentPrompt } from './environment';
import { clearUserData, useAnnouncedRead, useRead, useReadAll } from './useRead';
import { useWrite } from './useWrite';
import { metricsPoll } from './metricsPoll';
import { useNewestNotice } from './notices';
import { noteResponse } from './outage';
import { questionPrompt } from './questions';
import { useToggleList } from './toggles';
import { useIsUnsupportedServer, useUnsupportedServer } from './unsupportedServer';

const server = installFakeServer();
cleanPageAfterEach();
afterEach(() => {
  authState.set(null);
  noteResponse('service');
});

const items = get<{ names: string[] }>('api/items');
const GET = 'GET api/items';
const PUT = 'PUT api/items';
const SIGN_IN = { status: 401, body: { type: 'unsecure', path: '/login', message: 'Who are you?' } };
const newest = () => renderHook(() => useNewestNotice()).result.current;
const changeUser = () => act(() => clearUserData({ rereads: true }));

/** Starts a write whose response the test sends. */
async function startWrite() {
  server().hold(PUT);
  const { result } = renderHook(() => useWrite());
  const outcome: { current: unknown } = { current: 'pending' };
  act(() => {
    result.current.send(put<object>('api/items'), { body: {} }).then(
      () => {
        outcome.current = 'stored';
      },
      (failure: unknown) => {
        outcome.current = failure;
      },
    );
  });
  return { request: await server().take(PUT), outcome, result };
}

test('a read of the user before is not shown to the next user', async () => {
  server().hold(GET);
  const { result } = renderHook(() => useRead(items));
  const before = await server().take(GET);
  changeUser();
  const next = await server().take(GET);
  before.respond({ body: { names: ['secret'] } });
  await settle();
  expect(result.current.data).toBeUndefined();
  next.respond({ body: { names: ['public'] } });
  await settle();
  expect(result.current.data).toEqual({ names: ['public'] });
});

test.each([
  ['an expired session', SIGN_IN],
  ['a refusal', { status: 403, body: { message: 'no' } }],
  ['a server error', { status: 500, body: {} }],
])('a read that ends with %s after the change is not reported or repeated', async (_, response) => {
  server().hold(GET);
  renderHook(() => useAnnouncedRead(get('api/items')));
  const before = await server().take(GET);
  changeUser();
  (await server().take(GET)).respond({ body: { names: [] } });
  await settle();
  before.respond(response);
  await settle();
  expect(newest()).toBeUndefined();
  expect(authState.get()).toBeNull();
  await advance(10_000);
  expect(server().count(GET)).toBe(2);
});

test('a poll of the metrics is not kept for the next user', async () => {
  const line = `GET ${featureMetrics.path}`;
  server().hold(line);
  renderHook(() => useAnnouncedRead(featureMetrics, { polls: true }));
  const before = await server().take(line);
  changeUser();
  before.respond({ body: { lastHour: {}, lastMinute: { secret: { yes: 1, no: 0 } } } });
  await settle();
  expect(metricsPoll.get()).toBeUndefined();
});

test('a combined read that fails after the change is not reported', async () => {
  server().hold(GET);
  const page = renderHook(() => useReadAll([items]));
  const before = await server().take(GET);
  page.unmount();
  changeUser();
  before.respond({ status: 500, body: {} });
  await settle();
  expect(newest()).toBeUndefined();
});

test('a write that ends with a question after the change does not ask the next user', async () => {
  const { request, outcome } = await startWrite();
  changeUser();
  request.respond({ status: 409, body: { code: 'would_add_rollout' } });
  await settle();
  expect(questionPrompt.store.get()?.open ?? false).toBe(false);
  expect(outcome.current).not.toBe('pending');
  expect(server().requests.filter(({ line }) => line.startsWith(PUT))).toHaveLength(1);
});

test.each(['before', 'after'])(
  'a write that needs an environment is not repeated for the next user (%s)',
  async (when) => {
    const { request, outcome } = await startWrite();
    if (when === 'after') changeUser();
    const environments = [{ name: 'production', type: 'production' }];
    const code = 'environment_required';
    request.respond({ status: 428, body: { code, environments: [...environments, { name: 'test', type: 'test' }] } });
    await settle();
    if (when === 'before') changeUser();
    await settle();
    expect(environmentPrompt.store.get()?.open ?? false).toBe(false);
    expect(outcome.current).not.toBe('pending');
    expect(server().count(PUT)).toBe(1);
  },
);

test('a write that ends with an expired session after the change does not ask the next user to sign in', async () => {
  const { request, outcome } = await startWrite();
  changeUser();
  request.respond(SIGN_IN);
  await settle();
  expect(outcome.current).toMatchObject({ name: 'AbortError' });
  expect(authState.get()).toBeNull();
  expect(newest()).toBeUndefined();
});

test('a write that succeeds after the change fails for its caller, which must not continue', async () => {
  const { request, outcome, result } = await startWrite();
  expect(result.current.busy).toBe(true);
  changeUser();
  request.respond({ body: {} });
  await settle();
  expect(outcome.current).toMatchObject({ name: 'AbortError' });
  expect(result.current.busy).toBe(false);
});

test('the next user does not inherit that the server is unsupported', async () => {
  server().on(`GET ${features.path}`, { status: 404, body: {} });
  const page = renderHook(() => useUnsupportedServer());
  await settle();
  const { result } = renderHook(() => useIsUnsupportedServer());
  expect(result.current).toBe(true);
  page.unmount();
  changeUser();
  expect(result.current).toBe(false);
});

test('a list of toggles of the user before is not shown to the next user', async () => {
  const line = `GET ${features.path}`;
  server().hold(line);
  const { result } = renderHook(() => useToggleList());
  const before = await server().take(line);
  changeUser();
  before.respond({ body: { version: 1, features: [] } });
  await settle();
  expect(result.current.data).toBeUndefined();
});

test('a write that depends on a read is not sent after the change', async () => {
  server().hold(GET);
  server().on(PUT, {});
  const { result } = renderHook(() => useWrite());
  const { fetchFresh, fetchTag, send } = result.current;
  const replace = async () => {
    await fetchFresh(items);
    await send(put<object>('api/items'), { body: {} });
  };
  let failure: unknown;
  act(() => {
    void replace().catch((thrown: unknown) => {
      failure = thrown;
    });
  });
  const request = await server().take(GET);
  changeUser();
  request.respond({ body: { names: [] } });
  await settle();
  expect(failure).toMatchObject({ name: 'AbortError' });
  await expect(fetchTag(items)).rejects.toMatchObject({ name: 'AbortError' });
  expect(server().requests).toHaveLength(1);
  await act(() => result.current.send(put<object>('api/items'), { body: {} }));
  expect(server().count(PUT)).toBe(1);
});
