// @vitest-environment happy-dom
// Changes of other users to a strategy that is being edited, in the complete console with a controlled order of responses.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { authState } from '@/api/authState';
import type { Event, Strategy } from '@/api/generated/types';
import { click, dialog, fill, isDisabled, main, strategyCard } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createDefinition, createParameter, createToggle, serveConsole } from '@/testing/flagService';
import { advance, changeSessionInOtherTab, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const PATH = 'api/admin/features/shop.basket';
const [GET, PUT, LOG] = [`GET ${PATH}`, `PUT ${PATH}`, 'GET api/admin/events/shop.basket'];
const POLL_MS = 5000;
const ME = 'operator';
const ADA = 'ada@example.com';

const rollout = (percent: string): Strategy => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });

let events: Event[] = [];

/** Stores strategies, with an event of this author. */
function store(strategies: Strategy[], createdBy = ADA, type = 'feature-updated') {
  const toggle = createToggle({ name: 'shop.basket', strategies });
  events = [
    ...events,
    { id: events.length + 1, type, createdBy, createdAt: new Date().toISOString(), data: { ...toggle }, diffs: null },
  ] as Event[];
  server().on(GET, { body: toggle });
  server().on('GET api/admin/features', { body: { version: 1, features: [toggle] } });
  server().on(LOG, { body: { toggleName: 'shop.basket', events } });
}

/** Opens the page of a stored rollout of 25 % and a list of users. */
async function openPage() {
  events = [];
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  store([rollout('25'), users('ada')], ME, 'feature-created');
  const definitions = [
    createDefinition('flexibleRollout', createParameter('rollout', 'percentage')),
    createDefinition('userWithId', createParameter('userIds', 'list')),
  ];
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: definitions } });
  server().on('GET api/admin/events', { body: { version: 1, events: [] } });
  server().on(PUT, ({ body }) => {
    store((body as { strategies: Strategy[] }).strategies, ME);
    return {};
  });
  await renderConsole('/features/strategies/shop.basket');
  for (const name of ['flexibleRollout', 'userWithId'])
    await click(main().getByRole('button', { name: `Edit ${name}` }));
}

const rolloutField = () => strategyCard('flexibleRollout').getByLabelText<HTMLInputElement>('Rollout');
const text = (element: HTMLElement | null) => element?.textContent.replaceAll(/\s+/gu, ' ');
const note = (name = 'flexibleRollout') => text(strategyCard(name).queryByTestId('their-change'));
const show = () => click(strategyCard('flexibleRollout').getByRole('button', { name: 'Show' }));
const storedStrategies = () => (events.at(-1)?.data as { strategies?: Strategy[] } | undefined)?.strategies;

beforeEach(openPage);

test('appear within one poll, with author, change and time, and need no save', async () => {
  fill(rolloutField(), '50');
  store([rollout('40'), users('ada,eve')]);
  await advance(POLL_MS);
  await settlePage();
  expect(note()).toBe('ada@example.com changed this strategy just now: rollout 25 → 40 %.Show');
  // The strategy without edits follows.
  expect(text(screen.getByRole('group', { name: 'userWithId' }))).toContain('2 users');
  expect(note('userWithId')).toBeUndefined();
  expect(rolloutField().value).toBe('50');
  expect(server().count(PUT)).toBe(0);
  expect(screen.getAllByRole('status').map(text)).toContain(
    'ada@example.com changed this strategy: rollout 25 → 40 %. ',
  );
});

test.each([
  ['Your version', '50'],
  ['Saved version', '40'],
])('are decided before the save: %s', async (choice, value) => {
  fill(rolloutField(), '50');
  store([rollout('40'), users('ada')]);
  await advance(POLL_MS);
  await show();
  expect(text(dialog().getByRole('radio', { name: /Saved version/ }).parentElement)).toContain('rollout 25 → 40 %');
  expect(isDisabled(dialog().getByRole('button', { name: 'Use this version' }))).toBe(true);
  fireEvent.click(dialog().getByRole('radio', { name: new RegExp(choice) }));
  await click(dialog().getByRole('button', { name: 'Use this version' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(note()).toBeUndefined();
  expect(rolloutField().value).toBe(value);
  expect(server().count(PUT)).toBe(0);
  if (value === '40') return expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  // The save has no conflict any more.
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  await settlePage();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(storedStrategies()).toEqual([rollout('50'), users('ada')]);
});

test.each<[string, (() => void)[], string]>([
  ['another user', [() => store([rollout('40'), users('ada')])], 'ada@example.com changed'],
  ['oneself in another window', [() => store([rollout('40'), users('ada')], ME)], 'You, in another window, changed'],
  [
    'an unknown user, because the log cannot be read',
    [() => store([rollout('40'), users('ada')]), () => server().on(LOG, { status: 403, body: {} })],
    'Another user changed',
  ],
  [
    'the author of this change, not of the newest',
    [() => store([rollout('40'), users('ada')]), () => store([rollout('40'), users('eve')], ME)],
    'ada@example.com changed',
  ],
  ['a removal', [() => store([users('ada')])], 'ada@example.com removed this strategy just now. Saving adds it again.'],
])('name %s', async (_, changes, expected) => {
  fill(rolloutField(), '50');
  for (const change of changes) change();
  await advance(POLL_MS);
  await settlePage();
  expect(note()).toContain(expected);
});

test('name nobody until the log is read', async () => {
  fill(rolloutField(), '50');
  store([rollout('40'), users('ada')]);
  server().hold(LOG);
  await advance(POLL_MS);
  expect(note()).toContain('This strategy was changed: rollout 25 → 40 %.');
  server().respondToAll(LOG);
  await settlePage();
  expect(note()).toContain('ada@example.com changed this strategy');
});

test('disappear with their comparison when they are reverted', async () => {
  fill(rolloutField(), '50');
  store([rollout('40'), users('ada')]);
  await advance(POLL_MS);
  await show();
  store([rollout('25'), users('ada')]);
  await advance(POLL_MS);
  expect(note()).toBeUndefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(rolloutField().value).toBe('50');
});

test('that follow while the comparison is open need a new choice', async () => {
  fill(rolloutField(), '50');
  store([rollout('40'), users('ada')]);
  await advance(POLL_MS);
  await show();
  fireEvent.click(dialog().getByRole('radio', { name: /Saved version/ }));
  store([rollout('45'), users('ada')]);
  await advance(POLL_MS);
  expect(text(screen.getByRole('dialog'))).toContain('rollout 25 → 45 %');
  expect(isDisabled(dialog().getByRole('button', { name: 'Use this version' }))).toBe(true);
});

test('are not shown for the own save while it runs', async () => {
  fill(rolloutField(), '50');
  server().hold(PUT);
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  const save = await server().take(PUT);
  // The server has stored the save in another form, which a poll reads before the response arrives.
  store([{ ...rollout('50'), title: 'Half' }, users('ada')], ME);
  await advance(POLL_MS);
  expect(note()).toBeUndefined();
  save.respond();
  await settlePage();
  expect(note()).toBeUndefined();
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
});

test('keep their author when the save of another strategy merges them', async () => {
  fill(rolloutField(), '50');
  fill(strategyCard('userWithId').getByLabelText('userIds'), 'grace,');
  store([rollout('40'), users('ada')]);
  await click(main().getByRole('button', { name: 'Save userWithId' }));
  await settlePage();
  expect(storedStrategies()).toEqual([rollout('40'), users('ada,grace')]);
  expect(note()).toContain('ada@example.com changed this strategy');
});

test('are those of this window after the undo of an earlier save', async () => {
  fill(rolloutField(), '50');
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  await settlePage();
  fill(rolloutField(), '60');
  await advance(1000);
  await click(screen.getByRole('button', { name: 'Undo' }));
  await settlePage();
  expect(note()).toBe('You changed this strategy just now: rollout 50 → 25 %.Show');
});

test('stay when another user archives the toggle, and go with the session', async () => {
  fill(rolloutField(), '50');
  store([rollout('40'), users('ada')]);
  await advance(POLL_MS);
  server().on('GET api/admin/features', { body: { version: 1, features: [] } });
  server().on(GET, { status: 404, body: {} });
  const archived = createToggle({ name: 'shop.basket', strategies: [rollout('40'), users('ada')] });
  server().on('GET api/admin/archive/features', { body: { version: 1, features: [archived] } });
  act(() => void document.dispatchEvent(new globalThis.Event('visibilitychange')));
  await advance(2 * POLL_MS);
  expect(note()).toContain('ada@example.com changed this strategy');
  await show();
  const signIn = { status: 401, body: { type: 'unsecure', path: '/api/admin/login', message: 'Who are you?' } };
  for (const line of new Set(server().requests.map((request) => request.line))) server().on(line, signIn);
  await changeSessionInOtherTab();
  expect(authState.get()).toEqual(signIn.body);
  expect(within(document.body).queryByTestId('their-change')).toBeNull();
  expect(screen.queryByRole('radio', { hidden: true })).toBeNull();
});
