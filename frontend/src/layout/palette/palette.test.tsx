// @vitest-environment happy-dom
// Commands of the palette in the complete console, with controlled time: what can happen between preview, Enter and response.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { features, strategies, user } from '@/api/endpoints';
import type { Settings, Strategy, Toggle } from '@/api/generated/types';
import { clearUserData, refreshReads } from '@/api/useRead';
import { click, dialog, isDisabled, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole, serveOutage } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

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
    'Turns off50\u00a0%: about 500 of 1,000 checks per hour. Measured in the last hour.',
  );
  await type('set basket 25');
  expect(options()[0]?.textContent).toBe('Set shop.basket to 25\u00a0%Now 50\u00a0% of users');
  expect(palette().getByRole('region', { name: 'Impact' }).textContent).toContain('50 → 25\u00a0%: about 250 of 1,000');
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
