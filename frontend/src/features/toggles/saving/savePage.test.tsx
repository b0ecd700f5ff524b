// @vitest-environment happy-dom
// A save on the page of a toggle in the complete console: conflicts, outages, permissions and the end of the session.
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { authState } from '@/api/authState';
import type { UserResponse } from '@/api/generated/types';
import { currentOutage, noteResponse } from '@/api/outage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { advance, changeSessionInOtherTab, cleanPageAfterEach, settle, withRealTimers } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

// The first import of the page's code is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
const server = installFakeServer();
cleanPageAfterEach();
afterEach(() => {
  authState.set(null);
  noteResponse('service');
});

const PATH = 'api/admin/features/shop.basket';
const [GET, PUT, LOG] = [`GET ${PATH}`, `PUT ${PATH}`, 'GET api/admin/events/shop.basket'];
const toggle = createToggle({ name: 'shop.basket', description: 'Small' });
const SIGN_IN = { status: 401, body: { type: 'unsecure', path: '/api/admin/login', message: 'Who are you?' } };
const find = (role: string, name: string | RegExp) =>
  withRealTimers(() => screen.findByRole(role, { name }, { timeout: 20_000 }));
const click = (button: HTMLElement) => act(async () => fireEvent.click(button));

/** Opens the page of the toggle and changes its description. */
async function editDescription() {
  serveConsole(server(), [toggle]);
  server().on(GET, { body: toggle, headers: { etag: '"1"' } });
  server().on(PUT, {});
  await renderConsole('/features/strategies/shop.basket');
  await click(await find('button', 'Edit description'));
  fireEvent.change(screen.getByRole('textbox', { name: 'Description' }), { target: { value: 'Mine' } });
}

async function save() {
  await click(screen.getByRole('button', { name: 'Save' }));
  await settle();
}

/** Saves while another user has stored another description. */
async function saveWithConflict() {
  await editDescription();
  server().on(GET, { body: { ...toggle, description: 'Theirs' }, headers: { etag: '"2"' } });
  server().on(PUT, ({ headers }) => (headers.get('if-match') === '"2"' ? {} : { status: 412, body: {} }));
  await save();
  return find('dialog', 'This toggle changed while you were editing');
}

const lastBody = () => server().requests.findLast(({ line }) => line === PUT)?.body;

/** All requests get this response from now on, as after a sign-out. */
function endSession() {
  for (const line of new Set(server().requests.map((request) => request.line))) server().on(line, SIGN_IN);
}

test.each([
  ['Your version', 'Mine'],
  ['Saved version', 'Theirs'],
])('a conflict is stored as the user decides: %s', async (choice, description) => {
  await saveWithConflict();
  expect(server().count(PUT)).toBe(1);
  fireEvent.click(screen.getByRole('radio', { name: new RegExp(choice) }));
  await click(screen.getByRole('button', { name: 'Save merged' }));
  await settle();
  expect(lastBody()).toMatchObject({ description });
  expect(server().count(PUT)).toBe(2);
});

test('a conflict is asked without an author if the log cannot be read', async () => {
  server().on(LOG, { status: 500, body: {} });
  await editDescription();
  server().on(LOG, { status: 500, body: {} });
  server().on(GET, { body: { ...toggle, description: 'Theirs' }, headers: { etag: '"2"' } });
  server().on(PUT, { status: 412, body: {} });
  await save();
  const dialog = await find('dialog', 'This toggle changed while you were editing');
  expect(dialog.textContent).toContain('shop.basket was changed while you were editing.');
});

test('[S4-021] a sign-out in another tab closes an open conflict, and stores nothing', async () => {
  await saveWithConflict();
  endSession();
  await changeSessionInOtherTab();
  expect(screen.queryByRole('dialog', { name: 'This toggle changed while you were editing' })).toBeNull();
  expect(authState.get()).toEqual(SIGN_IN.body);
  expect(server().count(PUT)).toBe(1);
  expect(screen.queryByText('Theirs')).toBeNull();
});

test('[S4-021] a sign-out in another tab during a save clears the data, and shows no result of the save', async () => {
  await editDescription();
  server().hold(PUT);
  await save();
  const request = await server().take(PUT);
  endSession();
  await changeSessionInOtherTab();
  request.respond({});
  await settle();
  expect(authState.get()).toEqual(SIGN_IN.body);
  expect(screen.queryByText(/shop\.basket saved|successfully updated/)).toBeNull();
  expect(screen.queryByText('Mine')).toBeNull();
});

test('an expired session during a save keeps the edit, and the save succeeds after the sign-in', async () => {
  await editDescription();
  server().on(PUT, SIGN_IN);
  await save();
  expect(authState.get()).toEqual(SIGN_IN.body);
  server().on(PUT, {});
  act(() => authState.set(null));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' }).value).toBe('Mine');
  await save();
  expect(lastBody()).toMatchObject({ description: 'Mine' });
});

test('an outage during a save shows its banner and keeps the edit until the connection is back', async () => {
  await editDescription();
  server().hold(PUT);
  await save();
  (await server().take(PUT)).disconnect();
  await settle();
  expect(screen.getByText('This browser cannot reach Flagdeck')).toBeDefined();
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' }).value).toBe('Mine');
  server().release(PUT);
  await advance(3000);
  expect(currentOutage()).toBeUndefined();
  expect(screen.queryByText('This browser cannot reach Flagdeck')).toBeNull();
  await save();
  expect(server().count(PUT)).toBe(2);
  expect(lastBody()).toMatchObject({ description: 'Mine' });
});

test('a user without the permission cannot edit or archive, and sees the reason', async () => {
  serveConsole(server(), [toggle]);
  server().on('GET api/admin/user', { body: { username: 'guest', permissions: [] } satisfies UserResponse });
  await renderConsole('/features/strategies/shop.basket');
  await click(await find('button', 'Actions for shop.basket'));
  const archive = screen.getByRole('menuitem', { name: /^Archive/ });
  expect(archive.textContent).toContain('DELETE_FEATURE');
  await click(archive);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Edit description' })).toBeNull();
});
