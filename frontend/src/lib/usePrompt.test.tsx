// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { onUnshownFailure, usePrompt } from './prompt';
import { resetUserStores } from './store';

afterEach(cleanup);

const renderPrompt = () => renderHook(() => usePrompt<string>()[0], { wrapper: StrictMode });

/** A request that the test ends. */
function createRequest() {
  let resolve: (answer: true) => void = () => undefined;
  let reject: (failure: Error) => void = () => undefined;
  const promise = new Promise<true>((onSuccess, onFailure) => {
    resolve = onSuccess;
    reject = onFailure;
  });
  return { promise, resolve, reject };
}

test('an open question resolves without an answer when its component is removed', async () => {
  const { result, unmount } = renderPrompt();
  let answer: Promise<unknown> = Promise.resolve('open');
  act(() => {
    answer = result.current.ask('first');
  });
  unmount();
  expect(await answer).toBeUndefined();
});

test('a question asked after its component is removed resolves without an answer', async () => {
  const { result, unmount } = renderPrompt();
  unmount();
  expect(await result.current.ask('late')).toBeUndefined();
  expect(result.current.store.get()).toBeUndefined();
});

test('a request that runs while its component is removed still answers', async () => {
  const { result, unmount } = renderPrompt();
  const request = createRequest();
  const answer = result.current.ask('first');
  const running = result.current.run(() => request.promise);
  unmount();
  request.resolve(true);
  await running;
  expect(await answer).toBe(true);
});

test('a request that fails after its component is removed reports the failure, and the question has no answer', async () => {
  const failures: string[] = [];
  onUnshownFailure(({ message }) => failures.push(message));
  const { result, unmount } = renderPrompt();
  const first = createRequest();
  const answer = result.current.ask('first');
  const running = result.current.run(() => first.promise);
  await act(async () => first.reject(new Error('shown in the dialog')));
  await running;
  const second = createRequest();
  const repeated = result.current.run(() => second.promise);
  unmount();
  second.reject(new Error('refused'));
  await repeated;
  expect(await answer).toBeUndefined();
  expect(failures).toEqual(['refused']);
});

test('a request of the user before reports no failure', async () => {
  const failures: string[] = [];
  onUnshownFailure(({ message }) => failures.push(message));
  const { result, unmount } = renderPrompt();
  const request = createRequest();
  void result.current.ask('first');
  const running = result.current.run(() => request.promise);
  act(() => resetUserStores());
  unmount();
  request.reject(new Error('refused'));
  await running;
  expect(failures).toEqual([]);
});

test('a change of the user resolves the question of a component without an answer', async () => {
  const { result } = renderPrompt();
  const answer = result.current.ask('first');
  act(() => resetUserStores());
  expect(await answer).toBeUndefined();
});
