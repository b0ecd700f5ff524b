import { expect, test } from 'vitest';
import { createPagePrompt, createPrompt } from './prompt';
import { resetUserStores } from './store';

/** A request that ends when `end` is called. */
function createRequest() {
  let end: (answer: true) => void = () => undefined;
  const promise = new Promise<true>((resolve) => {
    end = resolve;
  });
  return { request: () => promise, end: () => end(true) };
}

test('a closed dialog keeps its question and resolves without an answer', async () => {
  const prompt = createPrompt<string>();
  const answer = prompt.ask('first');
  prompt.close();
  expect(await answer).toBeUndefined();
  expect(prompt.store.get()).toMatchObject({ question: 'first', open: false });
});

test('a second question replaces the first, which is then not answered', async () => {
  const prompt = createPrompt<string, number>();
  const first = prompt.ask('first');
  const second = prompt.ask('second');
  expect(await first).toBeUndefined();
  prompt.answer(2);
  expect(await second).toBe(2);
  expect(prompt.store.get()).toMatchObject({ number: 2, question: 'second', open: false });
});

test('questions of independent actions are asked one after the other', async () => {
  const prompt = createPagePrompt<string, number>({ queues: true });
  const first = prompt.ask('first');
  const second = prompt.ask('second');
  expect(prompt.store.get()).toMatchObject({ number: 1, question: 'first', open: true });
  prompt.answer(1);
  expect(await first).toBe(1);
  expect(prompt.store.get()).toMatchObject({ number: 2, question: 'second', open: true });
  prompt.close();
  expect(await second).toBeUndefined();
  expect(prompt.store.get()?.open).toBe(false);
});

test('a change of the user cancels all questions, and a running request changes nothing later', async () => {
  const prompt = createPagePrompt<string>();
  const first = prompt.ask('first');
  const second = prompt.ask('second');
  const { request, end } = createRequest();
  const running = prompt.run(request);
  resetUserStores();
  expect(await first).toBeUndefined();
  expect(await second).toBeUndefined();
  const next = prompt.ask('of the next user');
  end();
  await running;
  expect(prompt.store.get()).toMatchObject({ question: 'of the next user', open: true, busy: false });
  prompt.answer(true);
  expect(await next).toBe(true);
});

test('a busy dialog cannot be closed, used for another question or submitted again', async () => {
  const prompt = createPrompt<string>();
  const { request, end } = createRequest();
  const answer = prompt.ask('first');
  const running = prompt.run(request);
  prompt.close();
  expect(await prompt.ask('second')).toBeUndefined();
  let submissions = 0;
  await prompt.run(async () => {
    submissions += 1;
    return true;
  });
  expect(submissions).toBe(0);
  expect(prompt.store.get()).toMatchObject({ question: 'first', open: true, busy: true });
  end();
  await running;
  expect(await answer).toBe(true);
  expect(prompt.store.get()).toMatchObject({ open: false, busy: false });
});

test('a failed request leaves the dialog open with its error, and the next attempt clears the error', async () => {
  const prompt = createPrompt<string>();
  const answer = prompt.ask('first');
  await prompt.run(() => Promise.reject(new Error('refused')));
  expect(prompt.store.get()).toMatchObject({ open: true, busy: false, failure: new Error('refused') });
  const { request, end } = createRequest();
  const running = prompt.run(request);
  expect(prompt.store.get()?.failure).toBeUndefined();
  end();
  await running;
  expect(await answer).toBe(true);
});

test('a request without a result leaves the dialog open', async () => {
  const prompt = createPrompt<string>();
  void prompt.ask('first');
  await prompt.run(async () => undefined);
  expect(prompt.store.get()).toMatchObject({ open: true, busy: false, failure: undefined });
});

test('a new question starts without the error of the last one', async () => {
  const prompt = createPrompt<string>();
  void prompt.ask('first');
  await prompt.run(() => Promise.reject(new Error('refused')));
  prompt.close();
  void prompt.ask('second');
  expect(prompt.store.get()).toMatchObject({ question: 'second', open: true, failure: undefined });
});
