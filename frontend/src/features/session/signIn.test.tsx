// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { authState } from '@/api/authState';
import { user } from '@/api/endpoints';
import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import type { UserResponse } from '@/api/generated/types';
import { refreshReads } from '@/api/useRead';
import { offerUndo } from '@/api/notices';
import { storeSettings } from '@/api/settings';
import { snackbarText } from '@/testing/consolePage';
import { type FakeServer, installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { changeSessionInOtherTab, cleanPageAfterEach, settle, settlePage, withRealTimers } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

// The first import of the dialog's code is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
const server = installFakeServer();
cleanPageAfterEach();
beforeEach(() => authState.set(null));

const SIGN_IN = { type: 'unsecure', path: '/api/admin/login', message: 'Who are you?' };
const SIGN_IN_FAILURE = { status: 401, body: SIGN_IN };
const search = () => screen.getByRole<HTMLInputElement>('searchbox');

function serveUser(fake: FakeServer, user: UserResponse): void {
  fake.on('GET api/admin/user', { body: user });
}

/** Opens the sign-in dialog, as after a 401. */
async function openSignIn(): Promise<void> {
  act(() => authState.set(SIGN_IN));
  await withRealTimers(() => screen.findByLabelText(/Email/, {}, { timeout: 15_000 }));
}

async function submitEmail(): Promise<void> {
  fireEvent.change(screen.getByLabelText(/Email/), { target: { value: 'a@example.com' } });
  fireEvent.submit(screen.getByLabelText(/Email/));
  await settle();
}

async function signInAgain(fake: FakeServer, next: UserResponse): Promise<void> {
  await openSignIn();
  serveUser(fake, next);
  fake.on('POST api/admin/login', { body: {} });
  await submitEmail();
}

const first = (): UserResponse => ({ id: 1, username: 'alex.1', name: 'Alex', permissions: ['ADMIN'] }) as UserResponse;

test.each([
  ['id', { id: 2, username: 'alex.1', name: 'Alex' }],
  ['username', { username: 'alex.2', name: 'Alex' }],
])('[S4-021] a user with the same name and another %s sees no data of the user before', async (_, next) => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  expect(screen.getByRole('link', { name: 'secret.plan' })).toBeDefined();
  fireEvent.change(search(), { target: { value: 'secret' } });
  server().hold('GET api/admin/features');
  await signInAgain(server(), { ...next, permissions: ['ADMIN'] } as UserResponse);
  expect(screen.queryByRole('link', { name: 'secret.plan' })).toBeNull();
  expect(search().value).toBe('');
  expect(authState.get()).toBeNull();
});

test('the same user keeps the input, also if the display name has changed', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  fireEvent.change(search(), { target: { value: 'secret' } });
  server().hold('GET api/admin/features');
  await signInAgain(server(), { id: 1, username: 'alex.1', name: 'Alexandra', permissions: ['ADMIN'] } as UserResponse);
  expect(screen.getByRole('link', { name: 'secret.plan' })).toBeDefined();
  expect(search().value).toBe('secret');
});

test('[S4-021] a sign-out in another tab clears the data and opens the sign-in dialog', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  await renderConsole('/features');
  for (const path of ['user', 'features', 'projects', 'feature-types', 'strategies']) {
    server().on(`GET api/admin/${path}`, { status: 401, body: SIGN_IN });
  }
  await changeSessionInOtherTab();
  expect(screen.queryByText('secret.plan')).toBeNull();
  expect(authState.get()).toEqual(SIGN_IN);
});

test('[S4-021] a sign-in as another user in another tab replaces the data', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  await renderConsole('/features');
  serveConsole(server(), [createToggle({ name: 'public.plan' })]);
  serveUser(server(), { username: 'colleague' });
  await changeSessionInOtherTab();
  expect(screen.queryByText('secret.plan')).toBeNull();
  expect(screen.getByRole('link', { name: 'public.plan' })).toBeDefined();
});

test('a sign-in as the same user in another tab closes the dialog and keeps the input', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  await renderConsole('/features');
  fireEvent.change(search(), { target: { value: 'secret' } });
  act(() => authState.set(SIGN_IN));
  await changeSessionInOtherTab();
  expect(authState.get()).toBeNull();
  expect(search().value).toBe('secret');
});

test('a page from the back/forward cache reads its data again', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  await renderConsole('/features');
  const before = server().count('GET api/admin/features');
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  await settle();
  expect(server().count('GET api/admin/features')).toBe(before + 1);
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })));
  await settle();
  expect(server().count('GET api/admin/features')).toBe(before + 1);
});

test('[S8-030] an outage during the sign-in keeps the dialog and its input, and a second attempt succeeds', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  await openSignIn();
  server().hold('POST api/admin/login');
  await submitEmail();
  (await server().take('POST api/admin/login')).disconnect();
  await settle();
  expect(screen.getByText('Could not sign in at the moment.')).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>(/Email/).value).toBe('a@example.com');
  server().release('POST api/admin/login');
  server().on('POST api/admin/login', { body: {} });
  await submitEmail();
  expect(authState.get()).toBeNull();
  expect(screen.getByRole('link', { name: 'secret.plan' })).toBeDefined();
});

test('a user who cannot be read after the sign-in keeps the dialog open and the data unchanged', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  await openSignIn();
  server().on('POST api/admin/login', { body: {} });
  server().on('GET api/admin/user', { status: 401, body: SIGN_IN });
  await submitEmail();
  expect(authState.get()).toEqual(SIGN_IN);
  expect(screen.getByText('Could not sign in at the moment.')).toBeDefined();
});

test('a failed sign-out shows the failure and can be retried', async () => {
  server().on('POST -/logout', { status: 502, body: { message: 'did not end the session' } });
  await renderConsole('/logout');
  vi.useRealTimers();
  await screen.findByText('You could not be signed out', {}, { timeout: 15_000 });
  server().on('POST -/logout', { body: {} });
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('You are signed out')).toBeDefined();
});

test.each([
  ['a sign-out', SIGN_IN],
  ['another user', undefined],
])('of two changes in another tab, only the last one counts; the first was %s', async (_, failure) => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  server().hold('GET api/admin/user');
  await changeSessionInOtherTab();
  const signOut = await server().take('GET api/admin/user');
  await changeSessionInOtherTab();
  const signIn = await server().take('GET api/admin/user');
  signIn.respond({ body: first() });
  await settle();
  signOut.respond(failure ? { status: 401, body: failure } : { body: { username: 'colleague' } });
  await settle();
  expect(authState.get()).toBeNull();
  expect(screen.getByRole('link', { name: 'secret.plan' })).toBeDefined();
});

test.each([
  ['a server error', { status: 500, body: {} }],
  ['a page of a proxy', { status: 200, body: '<html>' }],
])('a user who cannot be read after a change in another tab keeps the data: %s', async (_, response) => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  await renderConsole('/features');
  server().hold('GET api/admin/user');
  await changeSessionInOtherTab();
  (await server().take('GET api/admin/user')).respond(response);
  await settle();
  expect(authState.get()).toBeNull();
  expect(screen.getByRole('link', { name: 'secret.plan' })).toBeDefined();
});

test('a page that closes during the check of another tab changes nothing', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  const { unmount } = await renderConsole('/features');
  server().hold('GET api/admin/user');
  await changeSessionInOtherTab();
  const check = await server().take('GET api/admin/user');
  unmount();
  check.respond(SIGN_IN_FAILURE);
  await settle();
  expect(authState.get()).toBeNull();
});

test('a sign-out that another website opened asks first, and single sign-on ends at its own page', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  server().on('POST -/logout', { body: { location: 'https://sso.example.com/logout' } });
  await renderConsole('/logout?confirm');
  const button = await withRealTimers(() => screen.findByRole('button', { name: 'Sign out' }, { timeout: 15_000 }));
  expect(server().count('POST -/logout')).toBe(0);
  fireEvent.click(button);
  await settle();
  expect(server().count('POST -/logout')).toBe(1);
  expect(assign).toHaveBeenCalledWith('https://sso.example.com/logout');
});

test('a check of another tab that ends after a sign-in here does not end the new session', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  server().hold('GET api/admin/user');
  await changeSessionInOtherTab();
  const check = await server().take('GET api/admin/user');
  server().release('GET api/admin/user');
  await signInAgain(server(), first());
  expect(authState.get()).toBeNull();
  check.respond(SIGN_IN_FAILURE);
  await settle();
  expect(authState.get()).toBeNull();
  expect(screen.getByRole('link', { name: 'secret.plan' })).toBeDefined();
});

test('a sign-in is announced to the other tabs only', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features');
  const count = () => server().count('GET api/admin/user');
  const before = count();
  await signInAgain(server(), first());
  // Messages arrive in order: that of another tab would come after an own one.
  await changeSessionInOtherTab();
  // Each change reads the user, and then all data of the page, which contains the user.
  expect(count() - before).toBe(4);
});

test('after the sign-in, the page follows the capabilities that the settings then contain', async () => {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, capabilities: null } });
  server().on('GET api/admin/ui-config', SIGN_IN_FAILURE);
  server().on('GET api/admin/user', SIGN_IN_FAILURE);
  storeSettings({ ...SETTINGS, capabilities: null });
  await renderConsole('/context/create');
  const notes = () => screen.queryAllByText('Servers before 3.12 do not store this.');
  expect(notes()).toHaveLength(0);
  const capabilities = { ...EMBEDDED_CAPABILITIES, storesFieldDetails: false };
  server().on('GET -/settings', { body: { ...SETTINGS, capabilities } });
  await signInAgain(server(), first());
  expect(notes()).toHaveLength(2);
});

test('a switch whose session has ended asks, although the session could be renewed silently, and is repeated', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  serveConsole(server(), [createToggle({ name: 'shop.basket', enabled: true })]);
  const options = [{ type: 'oidc', path: '/-/oidc/start', value: 'Sign in with Example' }];
  const signIn = { type: 'oidc', message: '', options, silentPath: '/-/oidc/start?silent=1' };
  const OFF = 'POST api/admin/features/shop.basket/toggle/off';
  await renderConsole('/features');
  server().on(OFF, { status: 401, body: signIn });
  fireEvent.click(screen.getByRole('switch', { name: 'shop.basket' }));
  await settlePage();
  expect(assign).not.toHaveBeenCalled();
  expect(screen.getByRole('dialog').textContent).toContain('Your last action is then repeated.');
  // The sign-in opens another tab, because this page must stay.
  expect(screen.getByRole('link', { name: 'Sign in with Example' }).getAttribute('target')).toBe('_blank');
  server().on(OFF, { body: { enabled: false } });
  await act(async () => void window.dispatchEvent(new Event('focus')));
  await settlePage();
  expect(authState.get()).toBeNull();
  expect(server().count(OFF)).toBe(2);
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'shop.basket' }).checked).toBe(false);
});

test('a read that shows another user clears the data, also without an announcement by another tab', async () => {
  serveConsole(server(), [createToggle({ name: 'secret.plan' })]);
  serveUser(server(), first());
  await renderConsole('/features/create');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'secret.new' } });
  offerUndo('secret.plan saved.', async () => undefined);
  // The other tab has signed in by a redirect.
  serveConsole(server(), [createToggle({ name: 'public.plan' })]);
  serveUser(server(), { id: 2, username: 'bert', permissions: ['ADMIN'] } as UserResponse);
  await act(async () => refreshReads([user]));
  await settlePage();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  expect(snackbarText()).toBe('');
  expect(screen.getByRole('button', { name: 'bert' })).toBeDefined();
});

test('the sign-in at the start is no problem', async () => {
  serveConsole(server());
  for (const path of ['user', 'features', 'projects']) server().on(`GET api/admin/${path}`, SIGN_IN_FAILURE);
  await renderConsole('/features');
  await withRealTimers(() => screen.findByLabelText(/Email/, {}, { timeout: 15_000 }));
  expect(screen.queryByRole('button', { name: /^(Problems|Messages)/u, hidden: true })).toBeNull();
  expect(snackbarText()).toBe('');
});
