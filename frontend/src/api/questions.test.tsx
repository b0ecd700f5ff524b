// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { post } from './client';
import { clearUserData } from './useRead';
import { DeclinedError, questionPrompt, writeOrAsk } from './questions';

const server = installFakeServer();
cleanPageAfterEach();

const on = (name: string) => `api/admin/features/${name}/toggle/on`;
const send = (name: string) => writeOrAsk(post(on(name))).catch((failure: unknown) => failure);
const question = { status: 409, body: { code: 'would_add_rollout' } };
const asked = () => questionPrompt.store.get();

function serve(...names: string[]) {
  for (const name of names) {
    server().on(`POST ${on(name)}`, question);
    server().on(`POST ${on(name)}?confirm=would_add_rollout`, { body: { name } });
  }
}

test('two questions at once are asked in order, and both writes are repeated', async () => {
  serve('a', 'b');
  const writes = [send('a'), send('b')];
  await settle();
  expect(asked()).toMatchObject({ open: true, question: { names: ['a'] } });
  questionPrompt.answer(true);
  await settle();
  expect(asked()).toMatchObject({ open: true, question: { names: ['b'] } });
  questionPrompt.answer(true);
  expect(await Promise.all(writes)).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(asked()?.open).toBe(false);
});

test('declining one question does not affect the next', async () => {
  serve('a', 'b');
  const writes = [send('a'), send('b')];
  await settle();
  questionPrompt.close();
  await settle();
  questionPrompt.answer(true);
  expect(await writes[0]).toBeInstanceOf(DeclinedError);
  expect(await writes[1]).toEqual({ name: 'b' });
  expect(server().count(`POST ${on('a')}?confirm=would_add_rollout`)).toBe(0);
});

test('a change of the user declines all questions, and no write is repeated', async () => {
  serve('a', 'b');
  const writes = [send('a'), send('b')];
  await settle();
  clearUserData({ rereads: false });
  for (const failure of await Promise.all(writes)) expect(failure).toBeInstanceOf(DeclinedError);
  expect(asked()?.open).toBe(false);
  expect(server().requests).toHaveLength(2);
});

test('a question that the server repeats after the confirmation fails the write', async () => {
  serve('a');
  server().on(`POST ${on('a')}?confirm=would_add_rollout`, question);
  const failure = send('a');
  await settle();
  questionPrompt.answer(true);
  expect(await failure).toMatchObject({ status: 409 });
});

test.each([
  [{ name: 'new' }, ['new']],
  [{}, []],
])('names the toggle that the write of %o creates', async (content, names) => {
  server().on('POST api/admin/features?project=x', question);
  server().on('POST api/admin/features?project=x&confirm=would_add_rollout', {});
  const written = writeOrAsk(post<object>('api/admin/features?project=x'), content);
  await settle();
  expect(asked()?.question.names).toEqual(names);
  questionPrompt.answer(true);
  expect(await written).toBeUndefined();
});
