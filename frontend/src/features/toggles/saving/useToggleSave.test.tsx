// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import '@/api/serverState';
import { read } from '@/api/client';
import { settings } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { clearUserData } from '@/api/useRead';
import { dismiss, undoNotice, useNewestNotice, useNoticeLog } from '@/api/notices';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settle } from '@/testing/page';
import { useToggleSave } from './useToggleSave';

const server = installFakeServer();
cleanPageAfterEach();

const GET = 'GET api/admin/features/a';
const PUT = 'PUT api/admin/features/a';
const LOG = 'GET api/admin/events/a';
const base = createToggle({ name: 'a' });
const describe = (description: string) => (toggle: Toggle) => ({ ...toggle, description });
const renderSave = () => renderHook(() => useToggleSave());
const newest = () => renderHook(() => useNewestNotice()).result.current;

function serve(stored = base) {
  serveConsole(server(), [stored]);
  server().on(PUT, {});
}

/** Starts a save whose conflict waits for the log of the toggle. */
async function startConflict() {
  serve({ ...base, description: 'theirs' });
  server().hold(LOG);
  const rendered = renderSave();
  let saved: Promise<boolean> = Promise.resolve(true);
  act(() => {
    saved = rendered.result.current.save(base, describe('mine'));
  });
  return { ...rendered, log: await server().take(LOG), saved };
}

async function expectNextSaveIsStored() {
  serve();
  server().release(LOG);
  const { result } = renderSave();
  let stored: boolean | undefined;
  act(() => {
    void result.current.save(base, describe('next')).then((value) => {
      stored = value;
    });
  });
  await settle();
  expect(stored).toBe(true);
}

const UNDECIDED = 'Not saved: the toggle a has changed meanwhile, and you left the page that asks what to keep.';

test('a conflict found after its component was removed cancels the save and says so, and later saves are stored', async () => {
  const { unmount, log, saved } = await startConflict();
  unmount();
  log.respond();
  expect(await saved).toBe(false);
  expect(newest()?.text).toBe(UNDECIDED);
  expect(server().count(PUT)).toBe(0);
  await expectNextSaveIsStored();
});

test('a component that is removed while its conflict is open cancels the save and says so', async () => {
  const { unmount, log, saved, result } = await startConflict();
  log.respond();
  await settle();
  expect(result.current.conflict).toBeTruthy();
  unmount();
  expect(await saved).toBe(false);
  expect(newest()?.text).toBe(UNDECIDED);
  await expectNextSaveIsStored();
});

test('a conflict that the user closes cancels the save without a message', async () => {
  const { log, saved, result } = await startConflict();
  log.respond();
  await settle();
  const { onClose } = (result.current.conflict as ReactElement<{ onClose: () => void }>).props;
  act(onClose);
  expect(await saved).toBe(false);
  expect(newest()).toBeUndefined();
});

test('a change of the user during a conflict cancels the save, and later saves are stored', async () => {
  const { log, saved, result } = await startConflict();
  act(() => clearUserData({ rereads: false }));
  log.respond();
  await settle();
  expect(await saved).toBe(false);
  expect(result.current.conflict).toBeFalsy();
  expect(newest()).toBeUndefined();
  await expectNextSaveIsStored();
});

test('a change of the user between the read and the write sends no write and shows nothing', async () => {
  serve();
  server().hold(GET);
  const { result } = renderSave();
  let saved: Promise<boolean> = Promise.resolve(true);
  act(() => {
    saved = result.current.save(base, describe('mine'));
  });
  const request = await server().take(GET);
  act(() => clearUserData({ rereads: false }));
  request.respond();
  await settle();
  expect(await saved).toBe(false);
  expect(server().count(PUT)).toBe(0);
  expect(newest()).toBeUndefined();
});

test('a change of the user during the write shows no confirmation and no offer to undo', async () => {
  serve();
  server().hold(PUT);
  const { result } = renderSave();
  let saved: Promise<boolean> = Promise.resolve(true);
  act(() => {
    saved = result.current.save(base, describe('mine'));
  });
  await settle();
  const request = await server().take(PUT);
  act(() => clearUserData({ rereads: false }));
  request.respond();
  await settle();
  expect(await saved).toBe(false);
  expect(newest()).toBeUndefined();
});

test('a component that unmounts during the write completes the save', async () => {
  serve();
  server().hold(PUT);
  const { result, unmount } = renderSave();
  let saved: Promise<boolean> = Promise.resolve(false);
  act(() => {
    saved = result.current.save(base, describe('mine'));
  });
  await settle();
  const request = await server().take(PUT);
  unmount();
  request.respond();
  await settle();
  expect(await saved).toBe(true);
});

test('a save that times out does not block the next one, which reads first', async () => {
  serve();
  server().hold(PUT);
  const { result } = renderSave();
  const ended: boolean[] = [];
  act(() => {
    void result.current.save(base, describe('first')).then((value) => ended.push(value));
    void result.current.save(base, describe('second')).then((value) => ended.push(value));
  });
  await settle();
  server().release(PUT);
  await advance(90_000);
  expect(ended).toEqual([false, true]);
  const lines = server().requests.map(({ line }) => line);
  expect(lines.indexOf(GET, lines.indexOf(PUT))).toBeLessThan(lines.lastIndexOf(PUT));
  expect(server().count(PUT)).toBe(2);
});

test.each([GET, PUT])('a failure of %s ends the save with an error, and later saves are stored', async (line) => {
  serve();
  server().on(line, { status: 400, body: { message: 'refused' } });
  const { result } = renderSave();
  let saved: Promise<boolean> = Promise.resolve(true);
  act(() => {
    saved = result.current.save(base, describe('mine'));
  });
  await settle();
  expect(await saved).toBe(false);
  expect(newest()).toMatchObject({ kind: 'error', text: 'refused' });
  await expectNextSaveIsStored();
});

/** Starts a save and waits for its result. */
async function save(...args: Parameters<ReturnType<typeof useToggleSave>['store']>) {
  const { result } = renderSave();
  let outcome: unknown;
  act(() => {
    result.current.store(...args).then(
      (stored) => {
        outcome = stored ?? 'not stored';
      },
      (failure: unknown) => {
        outcome = failure;
      },
    );
  });
  await settle();
  return outcome;
}

test('an undo writes the version before the save', async () => {
  serve();
  await save(base, describe('mine'));
  const list = renderHook(() => useNewestNotice());
  act(() => list.result.current && dismiss(list.result.current.id));
  const offer = list.result.current;
  expect(offer?.text).toBe('a saved.');
  server().on(GET, { body: { ...base, description: 'mine' } });
  await act(async () => offer && undoNotice(offer));
  expect(server().bodies(PUT).at(-1)).toMatchObject({ description: '' });
});

test('an undo does not overwrite a later change', async () => {
  serve();
  await save(base, describe('mine'));
  const list = renderHook(() => useNewestNotice());
  act(() => list.result.current && dismiss(list.result.current.id));
  const offer = list.result.current;
  server().on(GET, { body: { ...base, description: 'later' } });
  await act(async () => offer && undoNotice(offer));
  expect(server().count(PUT)).toBe(1);
  expect(list.result.current?.text).toContain('Could not undo: a has changed since.');
});

test('an undo of a change that is no longer there says so and writes nothing', async () => {
  serve();
  const changed = { ...base, description: 'gone' };
  expect(await save(changed, () => base, { purpose: 'undo', inline: true })).toMatchObject({
    message: 'Nothing to undo: a no longer contains this change.',
  });
  expect(server().count(PUT)).toBe(0);
});

test('a refusal because the toggle changed in between reads again and writes', async () => {
  serve();
  let attempts = 0;
  server().on(PUT, () => {
    attempts += 1;
    return attempts === 1 ? { status: 412, body: {} } : {};
  });
  expect(await save(base, describe('mine'))).toMatchObject({ name: 'a' });
  expect(server().count(PUT)).toBe(2);
  expect(server().count(GET)).toBe(3);
});

test('a failed read after the write still counts as stored', async () => {
  serve();
  let reads = 0;
  server().on(GET, () => {
    reads += 1;
    return reads === 1 ? { body: base } : { status: 500, body: {} };
  });
  expect(await save(base, describe('mine'))).toMatchObject({ description: 'mine' });
});

test('a toggle without strategies is not sent, and the reason is shown once', async () => {
  serve();
  const remove = (toggle: Toggle) => ({ ...toggle, strategies: [] });
  expect(await save(base, remove)).toBe('not stored');
  expect(newest()?.text).toBe('You must add at least one activation strategy');
  expect(server().count(PUT)).toBe(0);
});

test('a save of which a part was stored shows an error and the stored state', async () => {
  serve();
  server().on(PUT, { status: 400, body: { code: 'half_saved', message: 'half', toggle: base } });
  expect(await save(base, describe('mine'), { inline: true })).toMatchObject({ message: 'half' });
});

test('a save of strategies names the environment that it changes', async () => {
  serve();
  const development = { name: 'development', type: 'development' };
  const newer = { environments: [development], environment: null };
  server().on('GET -/settings', { body: { ...SETTINGS, server: newer } });
  await read(settings);
  const add = (toggle: Toggle) => ({ ...toggle, strategies: [...toggle.strategies, { name: 'x', parameters: {} }] });
  await save(base, add);
  expect(renderHook(() => useNoticeLog()).result.current.map(({ text }) => text)).toContain('a saved in development.');
  server().on('GET -/settings', { body: SETTINGS });
  await read(settings);
});

test('an undo after which all later versions were kept ends without a write', async () => {
  serve({ ...base, description: 'theirs' });
  const { result } = renderSave();
  let stored: boolean | undefined;
  act(() => {
    void result.current
      .save({ ...base, description: 'changed' }, () => base, { purpose: 'undo' })
      .then((value) => {
        stored = value;
      });
  });
  await settle();
  const { onSave } = (result.current.conflict as ReactElement<{ onSave: (choices: unknown) => void }>).props;
  act(() => onSave(new Map()));
  await settle();
  expect([stored, server().count(PUT)]).toEqual([false, 0]);
});
