// @vitest-environment happy-dom
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import '@/api/serverState';
import { authState } from '@/api/authState';
import { read } from '@/api/client';
import { features as featureList, featuresWithTag, settings, switchFeature } from '@/api/endpoints';
import { clearUserData, useRead } from '@/api/useRead';
import { undoNotice, useNewestNotice } from '@/api/notices';
import { questionPrompt, writeOrAsk } from '@/api/questions';
import { useToggleList } from '@/api/toggles';
import { switchPrompt } from '@/domain/toggles/confirmSwitch';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settle } from '@/testing/page';
import { BulkProgress } from './BulkProgress';
import { createArchiveAction, createSwitchAction, createTagAction } from './bulkActions';
import { bulkState } from './bulkState';
import { startBulkAction } from './startBulkAction';

const server = installFakeServer();
cleanPageAfterEach();

const names = Array.from({ length: 40 }, (_, number) => `t${number}`);
const toggles = names.map((name) => createToggle({ name, enabled: true }));
const features = `GET ${featureList.path}`;
const off = (name: string) => `POST api/admin/features/${name}/toggle/off`;
const newest = () => renderHook(() => useNewestNotice()).result.current;
const switchedOff = () => names.filter((name) => server().count(off(name)) > 0).length;

test('refusals do not stop the action', async () => {
  for (const name of names.slice(0, 30)) server().on(off(name), { status: 403, body: { message: 'no' } });
  for (const name of names.slice(30)) server().on(off(name), {});
  await startBulkAction(createSwitchAction(false), names);
  const state = bulkState.get();
  expect(state).toMatchObject({ phase: 'ended', left: [] });
  expect(state?.phase === 'ended' && [state.failures.length, state.changed.length]).toEqual([30, 10]);
});

test.each(['server error', 'network error'])('stops after 20 failures in a row of this kind: %s', async (kind) => {
  const send = kind === 'server error' ? async () => new Response('{}', { status: 503 }) : () => Promise.reject();
  const fetch = vi.fn((_: URL) => send());
  vi.stubGlobal('fetch', fetch);
  await startBulkAction(createSwitchAction(false), names);
  const state = bulkState.get();
  const sent = fetch.mock.calls.filter(([url]) => url.pathname.endsWith('/off')).length;
  // Requests that already run are finished.
  expect(sent).toBeLessThan(30);
  expect(state?.phase === 'ended' && state.failures.length + state.left.length).toBe(40);
  expect(state?.phase === 'ended' && state.left.length).toBe(40 - sent);
});

test('Retry tries the toggles first that were not tried', async () => {
  for (const name of ['refused', 'untried']) server().on(off(name), {});
  const failures = [{ name: 'refused', reason: 'no' }];
  const action = createSwitchAction(false);
  const left = ['untried'];
  render(
    <BulkProgress bulk={{ phase: 'ended', action, total: 2, changed: [], failures, areFailuresOpen: true, left }} />,
  );
  const [button] = screen.getAllByText('Retry');
  if (button) fireEvent.click(button);
  await settle();
  expect(
    server()
      .requests.map(({ line }) => line)
      .filter((line) => line.includes('toggle/off')),
  ).toEqual([off('untried'), off('refused')]);
});

test('a change of the user ends the action: no further request, no result and no offer to undo', async () => {
  for (const name of names) server().hold(off(name));
  const running = startBulkAction(createSwitchAction(false), names);
  const first = await server().take(off('t0'));
  expect(bulkState.get()?.phase).toBe('running');
  clearUserData({ rereads: false });
  expect(bulkState.get()).toBeUndefined();
  first.respond({});
  for (const name of names.slice(1, 6)) (await server().take(off(name))).respond({});
  await running;
  expect(switchedOff()).toBe(6);
  expect(bulkState.get()).toBeUndefined();
  expect(newest()).toBeUndefined();
});

test('a change of the user while a question is open ends the action', async () => {
  server().on(off('t0'), { status: 409, body: { code: 'would_add_rollout' } });
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 1));
  await settle();
  expect(questionPrompt.store.get()?.open).toBe(true);
  clearUserData({ rereads: false });
  await running;
  expect(questionPrompt.store.get()?.open).toBe(false);
  expect(server().count(off('t0'))).toBe(1);
  expect(bulkState.get()).toBeUndefined();
});

test('a change of the user between two requests of one toggle sends no second one', async () => {
  server().hold('POST api/admin/archive/revive/t0');
  const user = new AbortController();
  const revived = createArchiveAction()
    .inverse()
    .apply('t0', [], user.signal)
    .catch((failure: unknown) => failure);
  const request = await server().take('POST api/admin/archive/revive/t0');
  user.abort();
  request.respond({});
  expect(await revived).toMatchObject({ name: 'AbortError' });
  expect(server().requests).toHaveLength(1);
});

const undo = async () => {
  const offer = newest();
  if (!offer) throw new Error('no offer');
  await act(() => undoNotice(offer));
};

test('undo reverts only changed toggles', async () => {
  server().on(off('t0'), {});
  server().on(off('t1'), { status: 403, body: { message: 'no' } });
  server().on('POST api/admin/features/t0/toggle/on', {});
  await startBulkAction(createSwitchAction(false), names.slice(0, 2));
  expect(newest()?.text).toBe('1 toggle switched off.');
  await undo();
  expect(server().count('POST api/admin/features/t0/toggle/on')).toBe(1);
  expect(server().count('POST api/admin/features/t1/toggle/on')).toBe(0);
  expect(newest()?.text).toBe('Undone.');
});

test('an undo that fails names the toggles and keeps the offer', async () => {
  server().on(off('t0'), {});
  server().on('POST api/admin/features/t0/toggle/on', { status: 403, body: { message: 'no' } });
  await startBulkAction(createSwitchAction(false), names.slice(0, 1));
  await undo();
  expect(newest()?.text).toBe('1 toggle could not be changed back: t0 (no).');
});

test('reports an action that changes nothing', async () => {
  server().on(features, { body: { version: 1, features: toggles } });
  await startBulkAction(createSwitchAction(true), names.slice(0, 2));
  expect(newest()?.text).toBe('No changes: 2 toggles already switched on.');
  expect(server().requests.filter(({ line }) => line.startsWith('POST'))).toEqual([]);
});

test('an expired session interrupts the action, which continues after the sign-in', async () => {
  for (const name of names) server().on(off(name), { status: 401, body: {} });
  const running = startBulkAction(createSwitchAction(false), names);
  await settle();
  expect(bulkState.get()).toMatchObject({ phase: 'running', done: 0, failed: 0 });
  expect(switchedOff()).toBeLessThanOrEqual(6);
  for (const name of names) server().on(off(name), {});
  authState.set(null);
  await running;
  expect(bulkState.get()).toBeUndefined();
  expect(switchedOff()).toBe(40);
});

test('a stopped action keeps the other toggles for a later attempt', async () => {
  for (const name of names) server().hold(off(name));
  const running = startBulkAction(createSwitchAction(false), names);
  await settle();
  const state = bulkState.get();
  if (state?.phase === 'running') state.stop();
  for (const name of names.slice(0, 6)) (await server().take(off(name))).respond({});
  await running;
  const ended = bulkState.get();
  expect(ended?.phase === 'ended' && [ended.changed.length, ended.left.length]).toEqual([6, 34]);
});

test.each([true, false])(
  'asks a question of the server once for all its toggles (confirmed: %s)',
  async (isConfirmed) => {
    for (const name of ['t0', 't1']) {
      server().on(off(name), { status: 409, body: { code: 'would_add_rollout' } });
      server().on(`${off(name)}?confirm=would_add_rollout`, {});
    }
    const running = startBulkAction(createSwitchAction(false), names.slice(0, 2));
    await settle();
    expect(questionPrompt.store.get()?.question.names).toEqual(['t0', 't1']);
    if (isConfirmed) questionPrompt.answer(true);
    else questionPrompt.close();
    await running;
    const state = bulkState.get();
    if (isConfirmed) expect(state).toBeUndefined();
    else expect(state?.phase === 'ended' && state.failures.length).toBe(2);
  },
);

test('a question of a bulk action and one of a single save at the same time are both asked', async () => {
  for (const name of ['t0', 't1']) {
    server().on(off(name), { status: 409, body: { code: 'would_add_rollout' } });
    server().on(`${off(name)}?confirm=would_add_rollout`, {});
  }
  const single = writeOrAsk(switchFeature('t1', false));
  const bulk = startBulkAction(createSwitchAction(false), names.slice(0, 1));
  await settle();
  questionPrompt.answer(true);
  await settle();
  expect(questionPrompt.store.get()).toMatchObject({ open: true, question: { names: ['t0'] } });
  questionPrompt.answer(true);
  await Promise.all([single, bulk]);
  for (const name of ['t0', 't1']) expect(server().count(`${off(name)}?confirm=would_add_rollout`)).toBe(1);
});

test('a stopped action asks no question', async () => {
  server().hold(off('t0'));
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 1));
  const request = await server().take(off('t0'));
  const state = bulkState.get();
  if (state?.phase === 'running') state.stop();
  request.respond({ status: 409, body: { code: 'would_add_rollout' } });
  await running;
  expect(bulkState.get()).toMatchObject({ phase: 'ended', failures: [], left: ['t0'] });
});

test('a bulk tag reads the toggles with the tag again', async () => {
  const tag = { type: 'simple', value: 'checkout' };
  const line = `GET ${featuresWithTag('simple:checkout').path}`;
  server().on(line, { body: { version: 1, features: [] } });
  server().on('POST api/admin/features/t0/tags', {});
  server().on('POST api/admin/features/t1/tags', { status: 409, body: {} });
  renderHook(() => useRead(featuresWithTag('simple:checkout')));
  await settle();
  await act(() => startBulkAction(createTagAction(tag), names.slice(0, 2)));
  await settle();
  expect(server().count(line)).toBe(2);
  expect(newest()?.text).toBe('1 toggle tagged simple: checkout.');
});

test('a repeated write that asks the same question again is a failure', async () => {
  server().on(off('t0'), { status: 409, body: { code: 'would_add_rollout', message: 'again' } });
  server().on(`${off('t0')}?confirm=would_add_rollout`, { status: 409, body: { code: 'would_add_rollout' } });
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 1));
  await settle();
  questionPrompt.answer(true);
  await running;
  const state = bulkState.get();
  expect(state?.phase === 'ended' && state.failures).toHaveLength(1);
});

test('a question that waits while the action is stopped is not asked', async () => {
  server().on(off('t0'), { status: 409, body: { code: 'would_add_rollout' } });
  server().on(off('t1'), { status: 409, body: { code: 'would_disable_toggle' } });
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 2));
  await settle();
  const state = bulkState.get();
  if (state?.phase === 'running') state.stop();
  questionPrompt.close();
  await running;
  expect(questionPrompt.store.get()?.open).toBe(false);
  expect(bulkState.get()).toMatchObject({ failures: [{ name: 't0' }], left: ['t1'] });
});

test('an action that a change of the user interrupts shows the next user neither results nor failures', async () => {
  server().on(features, { body: { version: 1, features: toggles } });
  const page = renderHook(() => useToggleList().data?.features[0]?.enabled);
  await settle();
  server().hold(off('t0'));
  server().hold(off('t1'));
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 2));
  const [first, second] = [await server().take(off('t0')), await server().take(off('t1'))];
  act(() => clearUserData({ rereads: true }));
  await settle();
  first.respond({});
  second.respond({ status: 403, body: { message: 'no' } });
  await running;
  await advance(1000);
  expect(page.result.current).toBe(true);
  expect([bulkState.get(), newest()]).toEqual([undefined, undefined]);
});

test('the progress is shown while the action runs', async () => {
  for (const name of ['t0', 't1']) server().hold(off(name));
  server().on(features, { body: { version: 1, features: toggles } });
  const page = renderHook(() => useToggleList().data?.features[0]?.enabled);
  await settle();
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 2));
  (await server().take(off('t0'))).respond({});
  await advance(200);
  expect(bulkState.get()).toMatchObject({ phase: 'running', done: 1, total: 2 });
  expect(page.result.current).toBe(false);
  (await server().take(off('t1'))).respond({});
  await running;
  expect(bulkState.get()).toBeUndefined();
});

test('an unexpected error is a failure with its text', async () => {
  const action = createSwitchAction(false);
  const defect = { ...action, apply: () => Promise.reject(new TypeError('defect')) };
  await startBulkAction(defect, names.slice(0, 1));
  expect(bulkState.get()).toMatchObject({ failures: [{ reason: 'TypeError: defect' }] });
});

const listOf = (isOn: (name: string) => boolean) => ({
  body: { version: 1, features: names.map((name) => createToggle({ name, enabled: isOn(name) })) },
});

/** The page has read that all toggles are on or off, and then another user switches some. */
async function switchElsewhere(known: boolean, isOn: (name: string) => boolean) {
  server().on(
    features,
    listOf(() => known),
  );
  await read(featureList);
  server().on(features, listOf(isOn));
}

test('a toggle that was switched since the page read the list is switched too, and the others are counted', async () => {
  await switchElsewhere(false, (name) => name === 't1');
  server().on(off('t1'), {});
  await startBulkAction(createSwitchAction(false), ['t0', 't1', 't2']);
  expect(switchedOff()).toBe(1);
  expect(newest()?.text).toBe('1 toggle switched off, 2 already were.');
});

const revive = (name: string) => `POST api/admin/archive/revive/${name}`;
const on = (name: string) => `POST api/admin/features/${name}/toggle/on`;

/** Archives two toggles, of which the second is on without that the page knows it. */
async function archiveTwo() {
  await switchElsewhere(true, (name) => name === 't1');
  for (const name of ['t0', 't1'])
    for (const line of [`DELETE api/admin/features/${name}`, revive(name), on(name)]) server().on(line, {});
  await startBulkAction(createArchiveAction(), ['t0', 't1']);
  server().on(features, { body: { version: 1, features: [] } });
}

test('the undo of an archival restores the states of the toggles when they were archived', async () => {
  await archiveTwo();
  await undo();
  expect([revive('t0'), revive('t1'), on('t0'), on('t1')].map((line) => server().count(line))).toEqual([1, 1, 0, 1]);
});

test('the undo of an archival leaves toggles alone that another user has revived', async () => {
  await archiveTwo();
  server().on(features, { body: { version: 1, features: [createToggle({ name: 't1', enabled: false })] } });
  await undo();
  expect([revive('t0'), revive('t1'), on('t1')].map((line) => server().count(line))).toEqual([1, 0, 0]);
});

test('no second action starts while one asks for its confirmation or runs, and none is undone', async () => {
  server().on(off('t0'), {});
  server().on(off('t1'), {});
  await startBulkAction(createSwitchAction(false), ['t0']);
  const offer = newest();
  server().hold(off('t1'));
  const running = startBulkAction(createSwitchAction(false), ['t1']);
  expect(bulkState.get()).toMatchObject({ phase: 'running', done: 0, total: 1 });
  expect(await startBulkAction(createArchiveAction(), ['t1'])).toBe(false);
  expect(newest()?.text).toBe('Another action is running. Try again when it has ended.');
  await act(async () => offer && undoNotice(offer));
  (await server().take(off('t1'))).respond({});
  await running;
  expect(
    server()
      .requests.map(({ line }) => line)
      .filter((line) => !line.startsWith('GET')),
  ).toEqual([off('t0'), off('t1')]);
});

test('an undo that the user declines changes nothing', async () => {
  server().on('GET -/settings', { body: { ...SETTINGS, confirmWrites: true } });
  await read(settings);
  server().on(off('t0'), {});
  const running = startBulkAction(createSwitchAction(false), names.slice(0, 1));
  switchPrompt.answer(true);
  await running;
  const offer = newest();
  const undone = offer && undoNotice(offer);
  await settle();
  expect(switchPrompt.store.get()?.open).toBe(true);
  switchPrompt.close();
  await act(async () => undone);
  expect(server().count('POST api/admin/features/t0/toggle/on')).toBe(0);
  server().on('GET -/settings', { body: SETTINGS });
  await read(settings);
});
