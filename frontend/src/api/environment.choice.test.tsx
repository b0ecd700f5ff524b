// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { get } from './client';

const server = installFakeServer();

/** The module reads the URL when it is loaded. */
async function loadPage(search: string) {
  vi.resetModules();
  history.replaceState(null, '', `/features${search}`);
  const environment = await import('./environment');
  const { read } = await import('./client');
  return { ...environment, read };
}

const ENVIRONMENTS = [
  { name: 'development', type: 'development' },
  { name: 'production', type: 'production' },
];

function requireEnvironment(): void {
  for (const path of ['a', 'b']) {
    server().on(`GET api/${path}`, ({ headers }) => {
      const name = headers.get('Flagdeck-Environment');
      if (name === 'production') return { body: { name } };
      const code = name === null ? 'environment_required' : 'unknown_environment';
      return { status: name === null ? 428 : 400, body: { code, environments: ENVIRONMENTS } };
    });
  }
}

beforeEach(() => localStorage.clear());

test('two requests at once wait for one choice, and both are repeated with it', async () => {
  requireEnvironment();
  const { read, environmentPrompt, selectedEnvironment } = await loadPage('');
  const both = Promise.all([read(get('api/a')), read(get('api/b'))]);
  await vi.advanceTimersByTimeAsync(0);
  expect(environmentPrompt.store.get()).toMatchObject({ number: 1, open: true });
  environmentPrompt.answer('production');
  expect(await both).toEqual([{ name: 'production' }, { name: 'production' }]);
  expect(environmentPrompt.store.get()?.number).toBe(1);
  expect(selectedEnvironment()).toBe('production');
  expect(location.search).toBe('?environment=production');
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

test('an environment that was deleted meanwhile is asked for again, with its name', async () => {
  requireEnvironment();
  const { read, environmentPrompt } = await loadPage('?environment=deleted&tag=a');
  const request = read(get('api/a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(environmentPrompt.store.get()?.question.unknown).toBe('deleted');
  environmentPrompt.answer('production');
  expect(await request).toEqual({ name: 'production' });
  expect(location.search).toBe('?tag=a&environment=production');
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
