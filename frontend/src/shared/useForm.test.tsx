// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { post, write } from '@/api/client';
import { clearUserData } from '@/api/useRead';
import { useNewestNotice } from '@/api/notices';
import { DeclinedError } from '@/api/questions';
import { useHasUnsavedWork } from '@/lib/useLeaveGuard';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { SaveCancelledError } from './SaveCancelledError';
import { useForm } from './useForm';

const server = installFakeServer();
cleanPageAfterEach();

const CHECK = 'POST api/validate';
const SAVE = 'POST api/items';
const validate = post<{ name: string }, unknown>('api/validate');
const create = post<{ name: string }, unknown>('api/items');
const taken = { status: 409, body: { message: 'taken' } };

function renderForm() {
  return renderHook(() =>
    useForm({
      start: { name: 'a' },
      rules: () => ({}),
      save: async (input) => void (await write(create, input)),
      idField: 'name',
    }),
  );
}

test('a check that ends late keeps the newer error of a save', async () => {
  server().hold(CHECK);
  server().on(SAVE, { status: 409, body: { message: 'name: taken' } });
  const { result } = renderForm();
  act(() => void result.current.check('name', validate));
  const check = await server().take(CHECK);
  await act(() => result.current.submit());
  const { errors } = result.current;
  expect(errors.name ?? result.current.failure?.message).toBe('name: taken');
  check.respond({});
  await settle();
  expect(result.current.errors).toEqual(errors);
});

test('of two checks, the later one decides, whichever ends first', async () => {
  server().hold(CHECK);
  const { result } = renderForm();
  act(() => void result.current.check('name', validate));
  act(() => void result.current.check('name', validate));
  const [first, second] = [await server().take(CHECK), await server().take(CHECK)];
  second.respond(taken);
  await settle();
  expect(result.current.errors.name).toBe('taken');
  first.respond({});
  await settle();
  expect(result.current.errors.name).toBe('taken');
});

test('a check that passes clears the error of the previous one', async () => {
  server().on(CHECK, taken);
  const { result } = renderForm();
  await act(() => result.current.check('name', validate));
  expect(result.current.errors.name).toBe('taken');
  server().on(CHECK, {});
  await act(() => result.current.check('name', validate));
  expect(result.current.errors.name).toBeUndefined();
});

test('the error of a value is dropped when the value changes during the check', async () => {
  server().hold(CHECK);
  const { result } = renderForm();
  act(() => void result.current.check('name', validate));
  const check = await server().take(CHECK);
  act(() => result.current.setInput({ name: 'b' }));
  check.respond(taken);
  await settle();
  expect(result.current.errors.name).toBeUndefined();
});

test('a check that ends after the form is removed reports nothing', async () => {
  server().hold(CHECK);
  const { result, unmount } = renderForm();
  act(() => void result.current.check('name', validate));
  const check = await server().take(CHECK);
  unmount();
  check.respond({ status: 500, body: { message: 'x' } });
  await settle();
  const { result: newest } = renderHook(() => useNewestNotice());
  expect(newest.current).toBeUndefined();
});

test('a form with errors is not saved and shows them from the first attempt', async () => {
  const rules = ({ name }: { name: string }) => ({ name: name === 'a' ? 'too short' : undefined });
  const { result } = renderHook(() => useForm({ start: { name: 'a' }, rules, save: async () => undefined }));
  expect(result.current.errors.name).toBeUndefined();
  await act(() => result.current.submit());
  expect(result.current.errors.name).toBe('too short');
});

test.each([
  [new DeclinedError(), undefined],
  [new SaveCancelledError('removed'), 'removed'],
])('a save that ends with %s shows %s', async (thrown, shown) => {
  const save = () => Promise.reject(thrown);
  const { result } = renderHook(() => useForm({ start: { name: 'a' }, rules: () => ({}), save }));
  await act(() => result.current.submit());
  expect(result.current.failure?.message).toBe(shown);
  expect(result.current.saving).toBe(false);
});

test.each([
  [403, 'You cannot perform this action: no', undefined],
  [500, undefined, 'Unexpected exception'],
])('a check that fails with %d shows %s in the field and %s as a notice', async (status, inField, asNotice) => {
  server().on(CHECK, { status, body: { message: 'no' } });
  const { result } = renderForm();
  await act(() => result.current.check('name', validate));
  expect(result.current.errors.name).toBe(inField);
  const { result: newest } = renderHook(() => useNewestNotice());
  if (asNotice) expect(newest.current?.text).toContain(asNotice);
});

test('an empty field is not checked', async () => {
  const { result } = renderForm();
  act(() => result.current.setInput({ name: '' }));
  await act(() => result.current.check('name', validate));
  expect(server().requests).toEqual([]);
});

interface Item {
  name: string;
  note: string;
}

/** The form of an item, which the server may change. */
function renderItemForm(item: Item) {
  const saved: unknown[] = [];
  const rendered = renderHook(
    (current: Item) =>
      useForm({
        start: { name: current.name },
        base: current,
        rules: ({ name }, { note }) => ({ name: name === note ? 'equals the note' : undefined }),
        save: async (input, base) => void saved.push([input, base]),
      }),
    { initialProps: item },
  );
  return { ...rendered, saved };
}

const [first, second] = [
  { name: 'a', note: 'first' },
  { name: 'b', note: 'second' },
];

test('a form follows its item until the first edit', async () => {
  const { result, rerender, saved } = renderItemForm(first);
  rerender(second);
  expect([result.current.input, result.current.isDirty]).toEqual([{ name: 'b' }, false]);
  await act(() => result.current.submit());
  expect(saved).toEqual([[{ name: 'b' }, second]]);
});

test('a form keeps the version of its item from the first edit on, also if the edit is taken back', async () => {
  const { result, rerender, saved } = renderItemForm(first);
  act(() => result.current.setInput({ name: 'mine' }));
  rerender(second);
  expect([result.current.input, result.current.base, result.current.isDirty]).toEqual([{ name: 'mine' }, first, true]);
  act(() => result.current.setInput({ name: 'a' }));
  expect(result.current.isDirty).toBe(false);
  rerender({ name: 'c', note: 'third' });
  expect(result.current.input).toEqual({ name: 'a' });
  await act(() => result.current.submit());
  expect(saved).toEqual([[{ name: 'a' }, first]]);
});

test('the input is validated against the edited version', async () => {
  const { result, rerender, saved } = renderItemForm(first);
  act(() => result.current.setInput({ name: 'first' }));
  rerender(second);
  expect(await act(() => result.current.submit())).toBe(false);
  expect([result.current.errors.name, saved]).toEqual(['equals the note', []]);
});

test('a second submit while the first one runs sends nothing, and a later one sends again', async () => {
  server().hold(SAVE);
  const { result } = renderForm();
  act(() => void result.current.submit());
  act(() => void result.current.submit());
  await settle();
  expect(server().count(SAVE)).toBe(1);
  (await server().take(SAVE)).respond({ status: 500, body: {} });
  await settle();
  expect(result.current.saving).toBe(false);
  act(() => void result.current.submit());
  expect(server().count(SAVE)).toBe(2);
});

test('a submit returns whether the input was saved', async () => {
  const results = [undefined, true, false];
  const save = async () => results.shift();
  const { result } = renderHook(() => useForm({ start: { name: 'a' }, rules: () => ({}), save }));
  for (const expected of [true, true, false]) expect(await act(() => result.current.submit())).toBe(expected);
});

test.each([
  ['the form is removed', 'x'],
  ['a change of the user', undefined],
])('a save that fails after %s shows: %s', async (change, shown) => {
  server().hold(SAVE);
  const { result, unmount } = renderForm();
  act(() => void result.current.submit());
  const request = await server().take(SAVE);
  if (change === 'the form is removed') unmount();
  else act(() => clearUserData({ rereads: false }));
  request.respond({ status: 400, body: { message: 'x' } });
  await settle();
  const { result: newest } = renderHook(() => useNewestNotice());
  expect(newest.current?.text).toBe(shown);
});

test('a restarted form shows errors from the next attempt to submit', async () => {
  const rules = ({ name }: { name: string }) => ({ name: name === '' ? 'empty' : undefined });
  const { result } = renderHook(() => useForm({ start: { name: '' }, rules, save: async () => undefined }));
  await act(() => result.current.submit());
  expect(result.current.errors.name).toBe('empty');
  act(() => result.current.restart({ name: '' }));
  expect(result.current.errors.name).toBeUndefined();
  await act(() => result.current.submit());
  expect(result.current.errors.name).toBe('empty');
});

test.each([true, false])('edited input is guarded: %s', (guardsLeave) => {
  const { result } = renderHook(() => {
    const form = useForm({ start: { name: 'a' }, rules: () => ({}), save: async () => undefined, guardsLeave });
    return { form, hasWork: useHasUnsavedWork() };
  });
  act(() => result.current.form.setInput({ name: 'b' }));
  expect(result.current.hasWork).toBe(guardsLeave);
});
