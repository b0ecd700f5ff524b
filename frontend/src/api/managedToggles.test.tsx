// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import '@/api/serverState';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle } from '@/testing/flagService';
import { cleanPageAfterEach, setHidden, settle } from '@/testing/page';
import { authState } from './authState';
import { read, type Write } from './client';
import {
  archiveFeature,
  createFeature,
  featuresWithTag,
  featureTags,
  setFeatureStale,
  switchFeature,
  tagFeature,
  updateFeature,
  validateFeature,
} from './endpoints';
import { clearUserData } from './useRead';
import { managerOf, possibleManagersOf, useManagedToggles, useManager } from './managedToggles';
import { confirmEdits, DeclinedError, questionPrompt, writeOrAsk } from './questions';

const server = installFakeServer();
cleanPageAfterEach();

const TOGGLE = createToggle({ name: 'shop.basket' });
const LIST = 'GET api/admin/features?tag=managed-by%3Aacme%2Fflags';
const TAGS = 'GET api/admin/features/shop.basket/tags';
const question = () => questionPrompt.store.get();
/** Tags, of which those of the type `managed-by` have these values. */
const managed = (...values: string[]) => ({
  body: {
    version: 1,
    tags: [{ type: 'simple', value: 'winter' }, ...values.map((value) => ({ type: 'managed-by', value }))],
  },
});
const listed = (...names: string[]) => ({
  body: { version: 1, features: names.map((name) => createToggle({ name })) },
});

async function readTags(...values: string[]): Promise<void> {
  server().on(TAGS, managed(...values));
  await act(() => read(featureTags('shop.basket')));
}

const EDITS: readonly [string, Write<unknown, unknown>, unknown?][] = [
  ['a switch', switchFeature('shop.basket', true)],
  ['a mark as stale', setFeatureStale('shop.basket', true)],
  ['a save', updateFeature('shop.basket'), TOGGLE],
  ['an archive', archiveFeature('shop.basket')],
  ['a tag', tagFeature('shop.basket'), { type: 'simple', value: 'winter' }],
];

test.each(EDITS)('asks before %s, once for each toggle and visit', async (_, call, content) => {
  await readTags('acme/flags');
  server().on(`${call.method} ${call.path}`, {});
  const sent = () => server().count(`${call.method} ${call.path}`);
  const declined = writeOrAsk(call, content);
  await settle();
  expect(question()?.question).toMatchObject({ code: 'managed', names: ['shop.basket'] });
  questionPrompt.close();
  await expect(declined).rejects.toBeInstanceOf(DeclinedError);
  expect(sent()).toBe(0);

  const accepted = writeOrAsk(call, content);
  await settle();
  expect(question()?.open).toBe(true);
  questionPrompt.answer(true);
  await accepted;
  await writeOrAsk(call, content);
  expect(sent()).toBe(2);

  // The next user has not confirmed it.
  act(() => clearUserData({ rereads: false }));
  await readTags('acme/flags');
  void writeOrAsk(call, content).catch(() => undefined);
  await settle();
  expect(question()?.open).toBe(true);
  expect(sent()).toBe(2);
});

const OTHER_WRITES: readonly [string, Write<unknown, unknown>, unknown, string[], boolean][] = [
  ['an unmanaged toggle', switchFeature('shop.basket', true), undefined, [], false],
  ['files that are applied', updateFeature('shop.basket'), TOGGLE, ['acme/flags'], true],
  ['a new toggle', createFeature, createToggle({ name: 'shop.new' }), ['acme/flags'], false],
  ['a validated name', validateFeature, { name: 'shop.new' }, ['acme/flags'], false],
];

test.each(OTHER_WRITES)('does not ask about %s', async (_, call, content, files, appliesFiles) => {
  await readTags(...files);
  server().on(`${call.method} ${call.path}`, {});
  await writeOrAsk(call, content, { appliesFiles });
  expect(server().count(`${call.method} ${call.path}`)).toBe(1);
  expect(question()?.open ?? false).toBe(false);
});

test('asks once about many toggles, and only about managed ones that were not confirmed', async () => {
  server().on(LIST, listed('a', 'b'));
  await act(() => read(featuresWithTag('managed-by:acme/flags')));
  const first = confirmEdits(['a', 'c']);
  expect(question()?.question.names).toEqual(['a']);
  questionPrompt.answer(true);
  expect(await first).toBe(true);
  const second = confirmEdits(['a', 'b', 'c']);
  expect(question()?.question.names).toEqual(['b']);
  questionPrompt.close();
  expect(await second).toBe(false);
  expect(await confirmEdits(['a', 'c'])).toBe(true);
});

test('tags of a toggle are newer than a list that was requested before', async () => {
  const manager = renderHook(() => useManager('shop.basket')).result;
  await readTags('acme/flags', 'acme/a');
  expect(manager.current).toBe('acme/a, acme/flags');
  for (const [before, names, after] of [
    [[], ['shop.basket'], ''],
    [['acme/flags'], [], 'acme/flags'],
  ] as const) {
    server().hold(LIST);
    const list = read(featuresWithTag('managed-by:acme/flags'));
    const request = await server().take(LIST);
    await readTags(...before);
    request.respond(listed(...names));
    await act(() => list);
    expect(manager.current).toBe(after);
  }
  server().release(LIST);
  server().on(LIST, listed('other'));
  await act(() => read(featuresWithTag('managed-by:acme/flags')));
  expect(manager.current).toBe('');
  expect(managerOf('other')).toBe('acme/flags');
});

const WEB_LIST = 'GET api/admin/features?tag=managed-by%3Aacme%2Fweb';

/** Starts the console. The toggles of `acme/flags` cannot be read, and those of `acme/web` are `shop.web`. */
async function startWithUnreadFiles(): Promise<void> {
  server().on('GET api/admin/tags', managed('acme/flags', 'acme/web'));
  server().on(LIST, { status: 500, body: {} });
  server().on(WEB_LIST, listed('shop.web'));
  renderHook(() => useManagedToggles(true));
  await settle();
}

test('a list that cannot be read hides only the marks of its files', async () => {
  server().hold(LIST);
  await startWithUnreadFiles();
  expect(managerOf('shop.web')).toBe('');
  (await server().take(LIST)).disconnect();
  await settle();
  expect(managerOf('shop.web')).toBe('acme/web');
  expect(possibleManagersOf('shop.basket')).toEqual(['acme/flags']);

  // A page that lists the toggles of the files reads them too.
  server().release(LIST);
  server().on(LIST, listed('other'));
  await act(() => read(featuresWithTag('managed-by:acme/flags')));
  expect(possibleManagersOf('shop.basket')).toEqual([]);
  expect(await confirmEdits(['shop.basket'])).toBe(true);
});

test.each([
  ['cannot be read again', { status: 500, body: {} }, '', true],
  ['contain the toggle', listed('shop.basket'), 'acme/flags', true],
  ['do not contain the toggle', listed('other'), '', false],
] as const)('reads the toggles of unread files before an edit, and they %s', async (_, response, manager, asks) => {
  await startWithUnreadFiles();
  server().hold(LIST);
  const edit = confirmEdits(['shop.basket']);
  const request = await server().take(LIST);
  expect(question()?.open ?? false).toBe(false);
  request.respond(response);
  await settle();
  expect(question()?.open ?? false).toBe(asks);
  if (asks) {
    expect(question()?.question.names).toEqual(['shop.basket']);
    expect(managerOf('shop.basket')).toBe(manager);
    questionPrompt.answer(true);
  }
  expect(await edit).toBe(true);
  // The answer counts until the page is left.
  server().release(LIST);
  expect(await confirmEdits(['shop.basket'])).toBe(true);
  expect(server().count(LIST)).toBe(2);
});

test('unread files do not matter for toggles whose tags are known, new toggles and the next user', async () => {
  await startWithUnreadFiles();
  await readTags();
  expect(possibleManagersOf('shop.basket')).toEqual([]);
  expect(await confirmEdits(['shop.basket'])).toBe(true);
  for (const [call, content] of [
    [createFeature, createToggle({ name: 'shop.new' })],
    [validateFeature, { name: 'shop.new' }],
  ] as const) {
    server().on(`${call.method} ${call.path}`, {});
    await writeOrAsk(call as Write<unknown, unknown>, content);
  }
  expect(question()?.open ?? false).toBe(false);

  server().hold(LIST);
  const edit = confirmEdits(['shop.other']);
  const request = await server().take(LIST);
  server().release(LIST);
  server().on('GET api/admin/tags', managed());
  act(() => clearUserData({ rereads: false }));
  request.disconnect();
  expect(await edit).toBe(false);
  await settle();
  expect(possibleManagersOf('shop.other')).toEqual([]);
  expect(question()?.open ?? false).toBe(false);
});

test('tags that were read later are not replaced by a response that was requested before', async () => {
  server().hold(TAGS);
  const first = read(featureTags('shop.basket'));
  const late = await server().take(TAGS);
  server().release(TAGS);
  await readTags('acme/flags');
  late.respond(managed('acme/old'));
  await act(() => first);
  expect(managerOf('shop.basket')).toBe('acme/flags');
});

test('reads the toggles of each tag at the start and when the window becomes visible', async () => {
  const { rerender } = renderHook((isSignedIn: boolean) => useManagedToggles(isSignedIn), { initialProps: false });
  await settle();
  expect(server().requests).toHaveLength(0);
  // A server without tags has no managed toggles. There is no sign-in dialog.
  server().on('GET api/admin/tags', { status: 401, body: {} });
  rerender(true);
  await settle();
  expect(managerOf('shop.basket')).toBe('');
  expect(authState.get()).toBeNull();

  server().on('GET api/admin/tags', managed('acme/flags'));
  server().on(LIST, listed('shop.basket'));
  const reads = server().count('GET api/admin/tags');
  act(() => setHidden(true));
  await settle();
  expect(server().count('GET api/admin/tags')).toBe(reads);
  act(() => setHidden(false));
  await settle();
  expect(managerOf('shop.basket')).toBe('acme/flags');

  // A response for the previous user is not applied.
  server().hold('GET api/admin/tags');
  act(() => setHidden(true));
  act(() => setHidden(false));
  const late = await server().take('GET api/admin/tags');
  server().release('GET api/admin/tags');
  server().on('GET api/admin/tags', { body: { version: 1, tags: [] } });
  act(() => clearUserData({ rereads: false }));
  const lists = server().count(LIST);
  late.respond(managed('acme/flags'));
  await settle();
  expect(server().count(LIST)).toBe(lists);
  expect(managerOf('shop.basket')).toBe('');
});
