// @vitest-environment happy-dom
// The header `Flagdeck-User`: all tabs share the cookies, so that the first request after a sign-in in another tab can be a write.
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { authState } from '@/api/authState';
import { features, user } from '@/api/endpoints';
import { refreshReads } from '@/api/useRead';
import { snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

vi.setConfig({ testTimeout: 20_000 });
const server = installFakeServer();
cleanPageAfterEach();
beforeEach(() => authState.set(null));

const HEADER = 'flagdeck-user';
const OFF = 'POST api/admin/features/shop.basket/toggle/off';
const USER = 'GET api/admin/user';
const MESSAGE = 'Another user has signed in in this browser, so that nothing was changed.';

/** Refuses a change for anybody but the user with this value. */
const refuse = (value: string) => ({
  status: 409,
  body: { code: 'user_changed', message: MESSAGE },
  headers: { 'x-flagdeck-error': 'user_changed', [HEADER]: value },
});

const toggle = () => createToggle({ name: 'shop.basket', enabled: true });

/** Lets the browser have the session of a user: the server refuses changes for others. */
function serveUser(username: string, value: string): void {
  const headers = { [HEADER]: value };
  server().on(USER, { body: { username, permissions: ['ADMIN'] }, headers });
  server().on(OFF, (request) =>
    request.headers.get(HEADER) === value ? { body: { ...toggle(), enabled: false }, headers } : refuse(value),
  );
}

async function openList(): Promise<void> {
  serveConsole(server(), [toggle()]);
  serveUser('anna', 'hash-of-anna');
  await renderConsole('/features');
}

async function clickSwitch(): Promise<void> {
  fireEvent.click(screen.getByRole('switch', { name: 'shop.basket' }));
  await settlePage();
}

const sentFor = () => server().requests.flatMap(({ line, headers }) => (line === OFF ? [headers.get(HEADER)] : []));
const isOn = () => screen.getByRole<HTMLInputElement>('switch', { name: 'shop.basket' }).checked;

test('a click is not sent for the user who has signed in in another tab, and the page becomes theirs', async () => {
  await openList();
  const reads = server().count(USER);
  serveUser('bert', 'hash-of-bert');
  await clickSwitch();
  expect(sentFor()).toEqual(['hash-of-anna']);
  expect(server().count(USER)).toBeGreaterThan(reads);
  expect(screen.getByRole('button', { name: 'bert' })).toBeDefined();
  expect(isOn()).toBe(true);
  expect(snackbarText()).toBe('');
  // The next click is the new user's.
  await clickSwitch();
  expect(sentFor()).toEqual(['hash-of-anna', 'hash-of-bert']);
  expect(isOn()).toBe(false);
});

test('unsaved work of the user before is not sent, and leaves the page', async () => {
  serveConsole(server());
  serveUser('anna', 'hash-of-anna');
  await renderConsole('/features/create');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'secret.new' } });
  serveUser('bert', 'hash-of-bert');
  server().on('POST api/admin/features/validate', refuse('hash-of-bert'));
  server().on('POST api/admin/features', refuse('hash-of-bert'));
  fireEvent.submit(screen.getByLabelText('Name'));
  await settlePage();
  const sent = server().requests.filter(({ line }) => line.startsWith('POST'));
  expect(sent.length).toBeGreaterThan(0);
  for (const { headers } of sent) expect(headers.get(HEADER)).toBe('hash-of-anna');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  expect(screen.getByRole('button', { name: 'bert' })).toBeDefined();
});

test('a click of the same user with another value is repeated once', async () => {
  await openList();
  serveUser('anna', 'new-hash-of-anna');
  await clickSwitch();
  expect(sentFor()).toEqual(['hash-of-anna', 'new-hash-of-anna']);
  expect(isOn()).toBe(false);
  expect(screen.queryByText(MESSAGE, { exact: false })).toBeNull();
});

test('simultaneous clicks of the same user with another value are all repeated', async () => {
  serveConsole(server(), [toggle(), createToggle({ name: 'shop.search', enabled: true })]);
  serveUser('anna', 'hash-of-anna');
  await renderConsole('/features');
  const other = 'POST api/admin/features/shop.search/toggle/off';
  server().hold(OFF);
  server().hold(other);
  for (const name of ['shop.basket', 'shop.search']) fireEvent.click(screen.getByRole('switch', { name }));
  const [first, second] = [await server().take(OFF), await server().take(other)];
  server().release(OFF);
  server().release(other);
  serveUser('anna', 'new-hash-of-anna');
  server().on(other, { body: { ...toggle(), name: 'shop.search', enabled: false } });
  first.respond(refuse('new-hash-of-anna'));
  await settlePage();
  second.respond(refuse('new-hash-of-anna'));
  await settlePage();
  expect([server().count(OFF), server().count(other)]).toEqual([2, 2]);
  expect(isOn()).toBe(false);
});

test('a click that is refused again is reported', async () => {
  await openList();
  server().on(OFF, refuse('other-hash'));
  await clickSwitch();
  expect(sentFor()).toEqual(['hash-of-anna', 'hash-of-anna']);
  expect(isOn()).toBe(true);
  expect(snackbarText()).toContain(MESSAGE);
});

test('a click whose session has ended asks to sign in, and is then repeated', async () => {
  await openList();
  server().on(OFF, refuse('other-hash'));
  server().on(USER, { status: 401, body: { type: 'unsecure', path: '/api/admin/login', message: 'Who?' } });
  await clickSwitch();
  expect(authState.get()).not.toBeNull();
  serveUser('anna', 'hash-of-anna');
  await act(async () => authState.set(null));
  await settlePage();
  expect(sentFor()).toEqual(['hash-of-anna', 'hash-of-anna']);
  expect(isOn()).toBe(false);
});

test('any response that names another user shows the page of that user', async () => {
  await openList();
  serveUser('bert', 'hash-of-bert');
  const reads = server().count(USER);
  const body = { version: 1, features: [createToggle({ name: 'public.plan' })] };
  server().on('GET api/admin/features', { body, headers: { [HEADER]: 'hash-of-bert' } });
  await act(async () => refreshReads([features]));
  await settlePage();
  expect(screen.getByRole('button', { name: 'bert' })).toBeDefined();
  // Once for the comparison, and once with all data of the page.
  expect(server().count(USER) - reads).toBe(2);
});

test('a server that names no user gets no name', async () => {
  serveConsole(server(), [toggle()]);
  server().on(OFF, { body: { ...toggle(), enabled: false } });
  await renderConsole('/features');
  await act(async () => refreshReads([user]));
  await clickSwitch();
  expect(sentFor()).toEqual([null]);
});
