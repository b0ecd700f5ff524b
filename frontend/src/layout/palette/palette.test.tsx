// @vitest-environment happy-dom
// Commands of the palette in the complete console, with controlled time: what can happen between preview, Enter and response.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { features, strategies, user } from '@/api/endpoints';
import type { Settings, Strategy, Toggle } from '@/api/generated/types';
import { clearUserData, refreshReads } from '@/api/useRead';
import { clearRecentIds } from '@/lib/recentIds';
import { chooseForToggle, click, dialog, isDisabled, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import {
  createDefinition,
  createParameter,
  createToggle,
  SETTINGS,
  serveConsole,
  serveOutage,
} from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { application, toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const PATH = 'api/admin/features/shop.basket';
const PUT = `PUT ${PATH}`;

const rollout = (percentage: string): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percentage, stickiness: 'default', groupId: 'shop.basket' },
});
const basket = (percentage: string, more: Partial<Toggle> = {}) =>
  createToggle({ name: 'shop.basket', strategies: [rollout(percentage)], ...more });

/** Changes the toggle on the server, as another user or a save does. */
function store(toggle: Toggle) {
  server().on(`GET ${PATH}`, { body: toggle });
  server().on('GET api/admin/features', { body: { version: 1, features: [toggle, cards] } });
}

const cards = createToggle({ name: 'shop.cards', strategies: [rollout('10')] });

async function openConsole(settings: Partial<Settings> = {}) {
  serveConsole(server(), [basket('50'), cards]);
  server().on('GET -/settings', { body: { ...SETTINGS, ...settings } });
  for (const name of ['shop.basket', 'shop.cards'])
    server().on(`PUT api/admin/features/${name}`, ({ body }) => {
      if (name === 'shop.basket') store(body as Toggle);
      return { status: 200 };
    });
  server().on('GET api/admin/metrics/feature-toggles', {
    body: { lastHour: { 'shop.basket': { yes: 500, no: 500 } }, lastMinute: {} },
  });
  server().on('GET api/admin/events', { body: { version: 1, events: [] } });
  await renderConsole('/features');
}

const palette = () => within(screen.getByRole('dialog', { name: 'Command palette' }));
const isPaletteOpen = () => screen.queryByRole('dialog', { name: 'Command palette' }) !== null;
const field = () => palette().getByRole('combobox');
const options = () => palette().getAllByRole('option');

async function type(query: string) {
  if (!isPaletteOpen()) {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await settlePage();
  }
  field().focus();
  fireEvent.change(field(), { target: { value: query } });
  await settlePage();
}

/** Chooses the first result. */
async function run(query: string) {
  await type(query);
  const [first] = options();
  if (first) fireEvent.click(first);
  await settlePage();
}

const sent = (name = 'shop.basket') =>
  server()
    .bodies(`PUT api/admin/features/${name}`)
    .map((body) => (body as Toggle).strategies[0]?.parameters?.['rollout']);

test('set changes the rollout, shows the impact before, and can be undone', async () => {
  await openConsole();
  await type('disable basket');
  expect(palette().getByRole('region', { name: 'Impact' }).textContent).toBe(
    'Turns off500 of 1,000 checks per hour become no',
  );
  await type('set basket 25');
  expect(options()[0]?.textContent).toBe('Set shop.basket to 25\u00a0%Now 50\u00a0% of users');
  expect(palette().getByRole('region', { name: 'Impact' }).textContent).toContain('50 → 25\u00a0%: 500 → 250 of 1,000');
  fireEvent.click(options()[0] as HTMLElement);
  await settlePage();
  expect(isPaletteOpen()).toBe(false);
  expect(sent()).toEqual(['25']);
  expect(document.body.textContent).toContain('shop.basket successfully updated!');
  // The message about the save disappears first.
  await advance(1500);
  await act(async () => fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true }));
  await settlePage();
  expect(sent()).toEqual(['25', '50']);
});

test('a change of another user between preview and Enter is merged, and a conflicting one is asked about', async () => {
  await openConsole();
  await type('set basket 25');
  store(basket('50', { description: 'Theirs' }));
  fireEvent.click(options()[0] as HTMLElement);
  await settlePage();
  expect(server().requests.findLast(({ line }) => line === PUT)?.body).toMatchObject({ description: 'Theirs' });
  expect(sent()).toEqual(['25']);

  await type('set basket 30');
  store(basket('80', { description: 'Theirs' }));
  fireEvent.click(options()[0] as HTMLElement);
  await settlePage();
  expect(sent()).toEqual(['25']);
  expect(dialog().getByRole('heading').textContent).toBe('This toggle changed meanwhile');
  expect(document.body.textContent).toContain('80');
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(sent()).toEqual(['25']);
});

test('a change that arrives while the preview is shown is part of the preview', async () => {
  await openConsole();
  await type('set basket 25');
  store(basket('80'));
  act(() => refreshReads([features]));
  await settlePage();
  expect(options()[0]?.textContent).toContain('Now 80\u00a0% of users');
  fireEvent.click(options()[0] as HTMLElement);
  await settlePage();
  expect(sent()).toEqual(['25']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the palette can be closed and used again while a change is saved', async () => {
  await openConsole();
  server().hold(PUT);
  await run('set basket 25');
  const first = await server().take(PUT);
  await type('set basket 30');
  expect(options()[0]?.textContent).toContain('The last change is still being saved.');
  expect(options()[0] && isDisabled(options()[0] as HTMLElement)).toBe(true);
  // Another toggle waits for its turn.
  await run('set cards 20');
  expect(sent('shop.cards')).toEqual([]);
  server().release(PUT);
  first.respond();
  await settlePage();
  expect(sent('shop.cards')).toEqual(['20']);
  await run('set basket 30');
  expect(sent()).toEqual(['25', '30']);
});

test('a conflict that is found while the palette is open again closes the palette', async () => {
  await openConsole();
  server().hold(`GET ${PATH}`);
  await run('set basket 25');
  const read = await server().take(`GET ${PATH}`);
  await type('set cards');
  read.respond({ body: basket('80') });
  await settlePage();
  expect(isPaletteOpen()).toBe(false);
  expect(dialog().getByRole('heading').textContent).toBe('This toggle changed meanwhile');
});

test('a change of the user drops the changes that wait, and their questions', async () => {
  await openConsole({ confirmWrites: true });
  server().hold(PUT);
  await run('set basket 80');
  await click(dialog().getByRole('button', { name: 'Save' }));
  await server().take(PUT);
  await run('set cards 20');
  await act(async () => clearUserData({ rereads: true }));
  server().respondToAll(PUT);
  await settlePage();
  expect(sent('shop.cards')).toEqual([]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(snackbarText()).not.toContain('shop.basket');
});

test('a failure is reported, and a missing toggle and an outage are named before', async () => {
  await openConsole();
  server().on(PUT, { status: 403, body: { message: 'Not today' } });
  await run('set basket 25');
  expect(snackbarText()).toContain('Not today');
  await type('set nope 25');
  expect(palette().getByText('No toggle matches “nope”.')).toBeDefined();
  serveOutage(server());
  act(() => refreshReads([features]));
  await settlePage();
  await type('set basket 25');
  expect(options()[0]?.textContent).toContain('Changes are disabled until the flag service responds again.');
});

test('a read-only console names the reason, and still explains results', async () => {
  await openConsole({ readOnly: true });
  await type('set basket 25');
  expect(options()[0]?.textContent).toContain('This console is read-only.');
  expect(palette().getByRole('region', { name: 'Impact' }).textContent).toBe('');
  await type('why basket 4711');
  expect(options()[0] && isDisabled(options()[0] as HTMLElement)).toBe(false);
});

test('with confirm-writes, set asks before more users get the feature', async () => {
  await openConsole({ confirmWrites: true });
  await run('set basket 80');
  expect(dialog().getByRole('heading').textContent).toMatch(/^Save shop\.basket in /u);
  expect(dialog().getByText(/from 50 to 80 %/u)).toBeDefined();
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(sent()).toEqual([]);
});

test('opening a page asks first if there is unsaved work', async () => {
  await openConsole();
  await click(screen.getByRole('link', { name: 'shop.basket' }));
  await click(screen.getByRole('button', { name: 'Edit description' }));
  fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'mine' } });
  const path = location.pathname;
  await run('archive');
  expect(screen.getByRole('dialog', { name: 'Unsaved changes' })).toBeDefined();
  expect(location.pathname).toBe(path);
});

test('an action that the user may not do shows the reason, and Enter leaves the palette open', async () => {
  await openConsole();
  server().on('GET api/admin/user', { body: { username: 'reader', permissions: [] } });
  act(() => refreshReads([user]));
  await settlePage();
  await type('disable shop.basket');
  const [first] = options();
  expect(first?.textContent).toContain('UPDATE_FEATURE');
  expect(first && isDisabled(first)).toBe(true);
  fireEvent.keyDown(field(), { key: 'Enter' });
  await settlePage();
  expect(isPaletteOpen()).toBe(true);
  fireEvent.keyDown(field(), { key: 'Escape' });
  await settlePage();
});

test('a failed action is reported, and data that failed to load is named', async () => {
  await openConsole();
  server().on('GET api/admin/strategies', { status: 403, body: { message: 'No' } });
  server().on(`POST ${PATH}/toggle/off`, { status: 403, body: { message: 'Not today' } });
  act(() => refreshReads([strategies]));
  await settlePage();
  await type('disable shop.basket');
  expect(palette().getByRole('alert').textContent).toContain('The strategies could not be loaded');
  await run('disable shop.basket');
  expect(snackbarText()).toContain('Not today');
});

/** Opens a page of a console with these toggles, two applications and a strategy. */
async function openPage(path: string, toggles: readonly Toggle[]) {
  clearRecentIds();
  serveConsole(server(), toggles);
  const strategy = createDefinition('userWithId', createParameter('userIds', 'list'));
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: [strategy] } });
  server().on('GET api/admin/strategies/userWithId', { body: strategy });
  server().on('GET api/admin/metrics/applications?strategyName=userWithId', { body: { applications: [] } });
  server().on('GET api/admin/events', { body: { version: 1, events: [] } });
  const apps = ['shop', 'basket-service'].map((name) => application(name));
  server().on('GET api/admin/metrics/applications', { body: { applications: apps } });
  for (const app of apps) server().on(`GET api/admin/metrics/applications/${app.appName}`, { body: app });
  await renderConsole(path);
}

const labels = () => options().map(({ textContent }) => textContent);
const highlighted = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;
async function press(key: string) {
  fireEvent.keyDown(field(), { key });
  await settlePage();
}

test.each([
  ['archive', '/archive'],
  ['event hist', '/history'],
  ['shbask', '/features/strategies/shop.basket'],
  ['userwithid', '/strategies/view/userWithId'],
  ['new toggle', '/features/create'],
  ['basket-s', '/applications/basket-service'],
  ['evaluate', '/evaluation'],
])('Enter after %j opens %s', async (query, path) => {
  await openPage('/features', [basket('50'), createToggle({ name: 'mobile.basket' })]);
  await type(query);
  expect(highlighted()).toBe(labels()[0]);
  await press('Enter');
  expect(isPaletteOpen()).toBe(false);
  expect(location.pathname).toBe(path);
});

test('toggles rank first with their state, and applications are a group', async () => {
  await openPage('/history', [basket('50'), createToggle({ name: 'shop.cards', enabled: false })]);
  await type('shop');
  const [first] = palette().getAllByRole('group');
  const toggles = within(first as HTMLElement);
  expect(toggles.getAllByRole('option')).toHaveLength(2);
  for (const name of ['shop.basket on', 'shop.cards off']) expect(toggles.getByRole('option', { name })).toBeDefined();
  expect(within(palette().getByRole('group', { name: 'Applications' })).getByRole('option').textContent).toBe('shop');
});

test('set changes the rollout of one of several strategies, and why opens the result of a user', async () => {
  const sessions: Strategy = {
    ...rollout('10'),
    parameters: { rollout: '10', stickiness: 'sessionId', groupId: 'shop.basket' },
  };
  await openPage('/history', [basket('50', { strategies: [rollout('50'), sessions] })]);
  server().on(PUT, { status: 200 });
  server().on('GET api/admin/metrics/feature-toggles', {
    body: { lastHour: { 'shop.basket': { yes: 500, no: 500 } }, lastMinute: {} },
  });
  await type('set basket 25');
  expect(labels().map((label) => label.replaceAll('\u00a0', ' '))).toEqual([
    'Set shop.basket to 25 %Strategy 1, now 50 % of users',
    'Set shop.basket to 25 %Strategy 2, now 10 % of sessions',
  ]);
  await press('ArrowDown');
  await press('Enter');
  expect(server().bodies(PUT)).toMatchObject([
    { strategies: [{ parameters: { rollout: '50' } }, { parameters: { rollout: '25' } }] },
  ]);
  await type('why basket 4711');
  expect(highlighted()).toBe('Why is shop.basket on or off for 4711?');
  await press('Enter');
  expect(location.pathname + location.hash).toBe('/features/strategies/shop.basket#userId=4711');
});

test('on the page of a toggle its actions come first, and archiving leaves the page', async () => {
  await openPage('/features/strategies/shop.basket', [basket('50'), createToggle({ name: 'mobile.basket' })]);
  server().on(`DELETE ${PATH}`, () => {
    server().on('GET api/admin/features', { body: { version: 1, features: [] } });
    return { status: 200 };
  });
  await type('');
  expect(palette().getAllByRole('group')[0]?.textContent).toContain('Disable shop.basket');
  await type('archive');
  await click(palette().getByRole('option', { name: 'Archive shop.basket' }));
  expect(screen.getByRole('dialog').textContent).toContain('Are you sure you want to remove this toggle?');
  await click(dialog().getByRole('button', { name: 'Archive' }));
  expect(location.pathname).toBe('/features');
});

test('recently chosen items come first', async () => {
  await openPage('/history', [basket('50'), createToggle({ name: 'mobile.basket' })]);
  await type('mobile.b');
  await press('Enter');
  expect(location.pathname).toBe('/features/strategies/mobile.basket');
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^Archive/u }));
  await type('');
  const recent = within(palette().getByRole('group', { name: 'Recent toggles' })).getAllByRole('option');
  expect(recent[0]?.textContent).toBe('mobile.basket');
  expect(highlighted()).toBe('mobile.basket');
});

test('an action without a name lists toggles that it would change', async () => {
  const off = createToggle({ name: 'shop.off', enabled: false });
  // Servers sort by name.
  await openPage('/history', [createToggle({ name: 'mobile.basket' }), basket('50'), off]);
  const OFF = 'POST api/admin/features/mobile.basket/toggle/off';
  server().on(OFF, { body: createToggle({ name: 'mobile.basket', enabled: false }) });
  await type('disable ');
  expect(labels()).toEqual(['Disable mobile.basket', 'Disable shop.basket']);
  await press('Enter');
  expect(server().count(OFF)).toBe(1);
  expect(snackbarText()).toContain('mobile.basket switched off.');
});

test('opens while the user types, but not above a dialog', async () => {
  await openPage('/features', [basket('50')]);
  const search = screen.getByRole('searchbox');
  search.focus();
  const openByKey = async () => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k', ctrlKey: true });
    await settlePage();
  };
  await openByKey();
  expect(document.activeElement).toBe(field());
  await press('Escape');
  expect(isPaletteOpen()).toBe(false);
  expect(document.activeElement).toBe(search);
  await chooseForToggle('shop.basket', 'Archive');
  await openByKey();
  expect(isPaletteOpen()).toBe(false);
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
});

test('searches ten thousand toggles at once and lists few of them', async () => {
  const toggles = Array.from({ length: 10_000 }, (_, at) => toggle(`flag.${String(at).padStart(5, '0')}`));
  serveConsole(server());
  server().on('GET api/admin/features', { body: { version: 1, features: toggles } });
  server().on('GET api/admin/events', { body: { version: 1, events: [] } });
  await renderConsole('/history');
  await type('flag 09999');
  expect(highlighted()).toBe('flag.09999');
  await type('flag');
  expect(options().length).toBeLessThan(30);
});
