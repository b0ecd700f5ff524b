// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { get, post } from './client';

const server = installFakeServer();

/** The module reads the URL when it is loaded. */
async function loadPage(search: string) {
  vi.resetModules();
  history.replaceState(null, '', `/features${search}`);
  const environment = await import('./environment');
  const { read, write } = await import('./client');
  const load = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  return { ...environment, read, write, load };
}

const ENVIRONMENTS = [
  { name: 'development', type: 'development' },
  { name: 'production', type: 'production' },
];

function requireEnvironment(...lines: string[]): void {
  for (const line of ['GET api/a', 'GET api/b', ...lines]) {
    server().on(line, ({ headers }) => {
      const name = headers.get('Flagdeck-Environment');
      if (name === 'production') return { body: { name } };
      const code = name === null ? 'environment_required' : 'unknown_environment';
      return { status: name === null ? 428 : 400, body: { code, environments: ENVIRONMENTS } };
    });
  }
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

test('two requests at once wait for one choice, and both are repeated with it', async () => {
  requireEnvironment();
  const { read, environmentPrompt, selectedEnvironment, load } = await loadPage('');
  const both = Promise.all([read(get('api/a')), read(get('api/b'))]);
  await vi.advanceTimersByTimeAsync(0);
  expect(environmentPrompt.store.get()).toMatchObject({ number: 1, open: true });
  environmentPrompt.answer('production');
  expect(await both).toEqual([{ name: 'production' }, { name: 'production' }]);
  expect(environmentPrompt.store.get()?.number).toBe(1);
  expect(selectedEnvironment()).toBe('production');
  expect(location.search).toBe('?environment=production');
  expect(load).not.toHaveBeenCalled();
});

test('a closed choice fails the request, and the next request asks again', async () => {
  requireEnvironment();
  const { read, environmentPrompt } = await loadPage('');
  const refused = read(get('api/a')).catch((failure: Error) => failure);
  await vi.advanceTimersByTimeAsync(0);
  environmentPrompt.close();
  expect(await refused).toMatchObject({ status: 428 });
  const next = read(get('api/a'));
  await vi.advanceTimersByTimeAsync(0);
  environmentPrompt.answer('production');
  expect(await next).toEqual({ name: 'production' });
});

test('an environment that was deleted meanwhile is asked for again, and the choice loads the page again', async () => {
  requireEnvironment();
  const { read, environmentPrompt, selectedEnvironment, load } = await loadPage('?environment=deleted&tag=a');
  const request = read(get('api/a')).catch((failure: Error) => failure);
  await vi.advanceTimersByTimeAsync(0);
  expect(environmentPrompt.store.get()?.question.unknown).toBe('deleted');
  environmentPrompt.answer('production');
  // The page is loaded again: its state, drafts and offers to undo belong to the environment before.
  expect(await request).toMatchObject({ status: 400 });
  expect(load.mock.calls).toEqual([['/features?tag=a&environment=production']]);
  expect(selectedEnvironment()).toBe('deleted');
  expect(server().count('GET api/a')).toBe(1);
});

const OFF = 'api/admin/features/shop/toggle/off';

test('a write for an environment that was deleted meanwhile fails, and is not sent to the next one', async () => {
  requireEnvironment(`POST ${OFF}`);
  const { write, environmentPrompt, load } = await loadPage('?environment=deleted');
  const sent = write(post(OFF)).catch((failure: Error) => failure);
  await vi.advanceTimersByTimeAsync(0);
  expect(environmentPrompt.store.get()?.open).toBe(true);
  expect(await sent).toMatchObject({
    message: 'Not changed: the server has no environment deleted. Choose another one, then repeat the change there.',
  });
  environmentPrompt.answer('production');
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalled();
  expect(server().count(`POST ${OFF}`)).toBe(1);
});

test('a write that waits for the sign-in is sent to no environment that was chosen meanwhile', async () => {
  requireEnvironment(`POST ${OFF}`);
  const { write, read, environmentPrompt } = await loadPage('');
  const { authState } = await import('./authState');
  server().hold(`POST ${OFF}`);
  const sent = write(post(OFF)).catch((failure: Error) => failure);
  (await server().take(`POST ${OFF}`)).respond({ status: 401, body: {} });
  const shown = read(get('api/a'));
  await vi.advanceTimersByTimeAsync(0);
  environmentPrompt.answer('production');
  await shown;
  server().release(`POST ${OFF}`);
  authState.set(null);
  expect(await sent).toMatchObject({
    message: 'Not changed: no environment was selected. Select one, then repeat the change.',
  });
  const named = server().requests.filter(({ line }) => line === `POST ${OFF}`);
  expect(named.map(({ headers }) => headers.get('Flagdeck-Environment'))).toEqual([null, null]);
});

test('the last choice of another tab applies to a tab without a selection, and never replaces one', async () => {
  requireEnvironment();
  const first = await loadPage('');
  const chosen = first.read(get('api/a'));
  await vi.advanceTimersByTimeAsync(0);
  first.environmentPrompt.answer('production');
  await chosen;
  const second = await loadPage('');
  expect(await second.read(get('api/a'))).toEqual({ name: 'production' });
  expect(second.environmentPrompt.store.get()).toBeUndefined();
  const third = await loadPage('?environment=deleted');
  void third.read(get('api/a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(third.environmentPrompt.store.get()?.open).toBe(true);
});
