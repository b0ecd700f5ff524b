// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import '@/api/serverState';
import { read } from '@/api/client';
import { features, settings } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { clearUserData, refreshReads } from '@/api/useRead';
import { undoNotice, useNewestNotice } from '@/api/notices';
import { useToggleList } from '@/api/toggles';
import { switchPrompt } from '@/domain/toggles/confirmSwitch';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { useToggleWrites } from './useToggleWrites';

const server = installFakeServer();
cleanPageAfterEach();

const REVIVE = 'POST api/admin/archive/revive/a';
const ON = 'POST api/admin/features/a/toggle/on';
const newest = () => renderHook(() => useNewestNotice()).result.current;

async function startRevive() {
  server().hold(REVIVE);
  server().on(ON, {});
  const { result } = renderHook(() => useToggleWrites());
  act(() => void result.current.revive(createToggle({ name: 'a', enabled: true })));
  return server().take(REVIVE);
}

test('a revived toggle is switched on again if it was on', async () => {
  (await startRevive()).respond({});
  await settle();
  expect(server().count(ON)).toBe(1);
  expect(newest()?.text).toBe('a revived.');
});

test('a change of the user between the two requests of a revival sends no second one and shows nothing', async () => {
  const request = await startRevive();
  act(() => clearUserData({ rereads: false }));
  request.respond({});
  await settle();
  expect(server().count(ON)).toBe(0);
  expect(newest()).toBeUndefined();
});

test.each(['setEnabled', 'setStale'] as const)(
  'a change of the user during a write shows neither its confirmation nor an offer to undo it: %s',
  async (kind) => {
    const line = `POST api/admin/features/a/${kind === 'setStale' ? 'stale' : 'toggle'}/on`;
    server().hold(line);
    const { result } = renderHook(() => useToggleWrites());
    act(() => void result.current[kind](createToggle({ name: 'a', enabled: false }), true));
    const request = await server().take(line);
    act(() => clearUserData({ rereads: false }));
    request.respond({});
    await settle();
    expect(newest()).toBeUndefined();
  },
);

test.each([
  ['setEnabled', 'toggle/on', 'toggle/off', 'a switched on.'],
  ['setStale', 'stale/on', 'stale/off', 'a marked as Stale.'],
] as const)('a write can be undone: %s', async (kind, on, off, text) => {
  const path = 'POST api/admin/features/a';
  for (const state of [on, off]) server().on(`${path}/${state}`, {});
  serve(createToggle({ name: 'a', enabled: true, stale: true }));
  const { result } = renderHook(() => useToggleWrites());
  act(() => void result.current[kind](createToggle({ name: 'a', enabled: false }), true));
  await settle();
  const offer = newest();
  expect(offer?.text).toBe(text);
  await act(async () => offer && undoNotice(offer));
  expect([server().count(`${path}/${on}`), server().count(`${path}/${off}`)]).toEqual([1, 1]);
});

const ARCHIVE = 'DELETE api/admin/features/a';
const LIST = 'GET api/admin/features';
const TOGGLE = 'GET api/admin/features/a';

/** Declares the state of the toggle on the server; undefined if it is archived. */
function serve(toggle: Toggle | undefined) {
  server().on(LIST, { body: { version: 1, features: toggle ? [toggle] : [] } });
  server().on(TOGGLE, toggle ? { body: toggle } : { status: 404 });
}

/** Shows the list with this toggle. */
async function openList(enabled: boolean) {
  server().on(ON, {});
  server().on(REVIVE, () => {
    serve(createToggle({ name: 'a', enabled: false }));
    return {};
  });
  server().on(ARCHIVE, () => {
    serve(undefined);
    return {};
  });
  serve(createToggle({ name: 'a', enabled }));
  const { result } = renderHook(() => {
    useToggleList();
    return useToggleWrites();
  });
  await settle();
  /** Reads the list after another user has switched the toggle. */
  const switchElsewhere = async (next: boolean) => {
    serve(createToggle({ name: 'a', enabled: next }));
    await act(async () => refreshReads([features]));
    await settle();
  };
  return { result, switchElsewhere };
}

async function undo() {
  const offer = newest();
  await act(async () => offer && undoNotice(offer));
}

test('an archived toggle can be revived, and a revived one archived again', async () => {
  const { result } = await openList(false);
  await act(() => result.current.archive('a'));
  await undo();
  expect([server().count(ARCHIVE), server().count(REVIVE), server().count(ON)]).toEqual([1, 1, 0]);
  await act(() => result.current.revive(createToggle({ name: 'a', enabled: false })));
  await undo();
  expect([server().count(ARCHIVE), server().count(REVIVE)]).toEqual([2, 2]);
});

test.each([true, false])(
  'the undo of an archival restores the state before it, not that of the opened dialog: on is %s',
  async (enabled) => {
    const { result, switchElsewhere } = await openList(!enabled);
    server().hold(ARCHIVE);
    act(() => void result.current.archive('a'));
    const request = await server().take(ARCHIVE);
    await switchElsewhere(enabled);
    request.respond();
    await settle();
    await undo();
    expect(server().count(ON)).toBe(enabled ? 1 : 0);
  },
);

test.each([true, false])(
  'the undo of an archival restores a state that the page has not read before: on is %s',
  async (enabled) => {
    const { result } = await openList(!enabled);
    serve(createToggle({ name: 'a', enabled }));
    await act(() => result.current.archive('a'));
    await undo();
    expect([server().count(REVIVE), server().count(ON)]).toEqual([1, enabled ? 1 : 0]);
  },
);

test('the undo of an archival changes nothing if another user has revived the toggle and left it off', async () => {
  const { result } = await openList(true);
  await act(() => result.current.archive('a'));
  serve(createToggle({ name: 'a', enabled: false }));
  await undo();
  expect([server().count(REVIVE), server().count(ON)]).toEqual([0, 0]);
  expect(newest()).toMatchObject({ kind: 'error', text: 'Nothing to undo: a was revived in the meantime.' });
});

test('a toggle that cannot be read before its archival is archived with the known state', async () => {
  const { result } = await openList(true);
  server().on(TOGGLE, { status: 500 });
  await act(() => result.current.archive('a'));
  await undo();
  expect([server().count(ARCHIVE), server().count(REVIVE), server().count(ON)]).toEqual([1, 1, 1]);
});

test('a read without the toggle before the response of its archival keeps the undo', async () => {
  const { result } = await openList(true);
  server().hold(ARCHIVE);
  act(() => void result.current.archive('a'));
  const request = await server().take(ARCHIVE);
  serve(undefined);
  await act(async () => refreshReads([features]));
  await settle();
  request.respond({});
  await settle();
  await undo();
  expect([server().count(REVIVE), server().count(ON)]).toEqual([1, 1]);
});

test('a toggle that the page does not know is archived without an undo', async () => {
  serve(undefined);
  server().on(ARCHIVE, {});
  const { result } = renderHook(() => useToggleWrites());
  await act(() => result.current.archive('a'));
  expect(newest()?.text).toBe('a archived.');
  expect(newest()?.undo).toBeUndefined();
});

test('a toggle that another user has switched during the question offers no undo', async () => {
  server().on('GET -/settings', { body: { ...SETTINGS, confirmWrites: true } });
  await read(settings);
  const { result, switchElsewhere } = await openList(false);
  act(() => void result.current.setEnabled(createToggle({ name: 'a', enabled: false }), true));
  await switchElsewhere(true);
  switchPrompt.answer(true);
  await settle();
  expect(server().count(ON)).toBe(1);
  expect(newest()?.text).toBe('a switched on.');
  expect(newest()?.undo).toBeUndefined();
  server().on('GET -/settings', { body: SETTINGS });
  await read(settings);
});

test('a failed switch is shown, and offers no undo', async () => {
  server().on(ON, { status: 403, body: { message: 'no' } });
  const { result } = renderHook(() => useToggleWrites());
  await act(() => result.current.setEnabled(createToggle({ name: 'a', enabled: false }), true));
  expect(newest()).toMatchObject({ kind: 'error', text: 'a was not switched on: no' });
  expect(newest()?.undo).toBeUndefined();
});

test.each([
  ['setEnabled', true, 'a was switched off'],
  ['setEnabled', false, 'a was switched on'],
  ['setStale', true, 'a was marked as Active'],
  ['setStale', false, 'a was marked as Stale'],
] as const)(
  'an undo changes nothing if another user has undone the change meanwhile: %s to %s',
  async (kind, value, text) => {
    const path = `POST api/admin/features/a/${kind === 'setStale' ? 'stale' : 'toggle'}`;
    for (const state of ['on', 'off']) server().on(`${path}/${state}`, {});
    const { result } = renderHook(() => useToggleWrites());
    await act(() => result.current[kind](createToggle({ name: 'a', enabled: !value, stale: !value }), value));
    serve(createToggle({ name: 'a', enabled: !value, stale: !value }));
    await undo();
    expect(server().count(`${path}/${value ? 'off' : 'on'}`)).toBe(0);
    expect(newest()).toMatchObject({ kind: 'error', text: `Nothing to undo: ${text} in the meantime.` });
  },
);

test.each(['setEnabled', 'setStale', 'revive'] as const)(
  'an undo changes nothing if another user has archived the toggle meanwhile: %s',
  async (kind) => {
    const { result } = await openList(false);
    const toggle = createToggle({ name: 'a', enabled: false });
    for (const state of ['toggle/on', 'stale/on']) server().on(`POST api/admin/features/a/${state}`, {});
    await act(() => (kind === 'revive' ? result.current.revive(toggle) : result.current[kind](toggle, true)));
    const before = server().requests.length;
    serve(undefined);
    await undo();
    expect(
      server()
        .requests.slice(before)
        .map(({ line }) => line),
    ).toEqual([LIST]);
    expect(newest()).toMatchObject({ kind: 'error', text: 'Nothing to undo: a was archived in the meantime.' });
  },
);

test('the undo of a revival does not archive a toggle that another user has switched on meanwhile', async () => {
  const { result } = await openList(false);
  await act(() => result.current.revive(createToggle({ name: 'a', enabled: false })));
  serve(createToggle({ name: 'a', enabled: true }));
  await undo();
  expect(server().count(ARCHIVE)).toBe(0);
  expect(newest()).toMatchObject({ kind: 'error', text: 'Not archived: a was switched on in the meantime.' });
});
