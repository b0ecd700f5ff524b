// @vitest-environment happy-dom
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { authState, unfinishedActions } from '@/api/authState';
import type { AuthDetails } from '@/api/generated/types';
import { clearUserData } from '@/api/useRead';
import { leaveGuards } from '@/lib/leaveGuard';
import { useOverlay } from '@/lib/overlays';
import { isDisabled } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS } from '@/testing/flagService';
import { cleanPageAfterEach, settle, withRealTimers } from '@/testing/page';
import { SignInDialog } from './SignInDialog';

// The first import of the dialog's code is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
const server = installFakeServer();
cleanPageAfterEach();
afterEach(() => authState.set(null));

const LOGIN = 'POST auth/login';
const password = { type: 'password', path: '/auth/login', message: '' };
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(name));
const submit = () =>
  act(async () => fireEvent.submit(screen.getByRole('button', { name: 'Sign in' }).closest('form') ?? document));

/** Opens the dialog of a server without a signed-in user. */
async function open(details: Partial<AuthDetails>) {
  server().on('GET -/settings', { body: SETTINGS });
  server().on('GET api/admin/user', { status: 401, body: {} });
  authState.set({ type: 'unsecure', path: '', message: '', ...details } as AuthDetails);
  render(
    <MemoryRouter>
      <SignInDialog details={{ type: 'unsecure', path: '', message: '', ...details } as AuthDetails} />
    </MemoryRouter>,
  );
  await withRealTimers(() => screen.findByText('Authentication required', {}, { timeout: 15_000 }));
  await settle();
}

async function enterPassword() {
  fireEvent.change(field('Username'), { target: { value: ' ada ' } });
  fireEvent.change(field('Password'), { target: { value: 'secret' } });
  await submit();
}

test('a one-time password asks for a new password, which is sent with it', async () => {
  await open(password);
  server().on(LOGIN, { status: 403, body: { code: 'new_password_needed', message: '' } });
  await enterPassword();
  expect(screen.getByText(/This is a one-time password/u)).toBeTruthy();
  expect(document.activeElement).toBe(field('New password'));
  for (const [text, error] of [
    ['short', 'Enter at least 8 characters.'],
    ['secret', 'Enter at least 8 characters.'],
  ] as const) {
    fireEvent.change(field('New password'), { target: { value: text } });
    await submit();
    expect(screen.getByText(error)).toBeTruthy();
  }
  fireEvent.change(field('New password'), { target: { value: 'my own words' } });
  server().on(LOGIN, { status: 429, body: {} });
  await submit();
  const bodies = server().requests.flatMap(({ line, body }) => (line === LOGIN ? [body] : []));
  expect(bodies).toEqual([
    { username: 'ada', password: 'secret' },
    { username: 'ada', password: 'secret', newPassword: 'my own words' },
  ]);
});

test('a disabled account is named instead of a wrong password', async () => {
  await open(password);
  const message = 'An administrator has disabled your account.';
  server().on(LOGIN, { status: 403, body: { code: 'account_disabled', message } });
  await enterPassword();
  expect(screen.getByRole('alert').textContent).toBe(message);
});

test.each([
  [404, 'User not found', ''],
  [401, 'Wrong password', ''],
  [429, 'Too many sign-in attempts. Try again in a minute.', 'secret'],
  [500, 'Could not sign in at the moment.', 'secret'],
])('a password that is refused with %d shows the reason', async (status, text, kept) => {
  await open(password);
  server().on(LOGIN, { status, body: {} });
  await enterPassword();
  expect(screen.getByRole('alert').textContent).toBe(text);
  expect([field('Username').value, field('Password').value]).toEqual([' ada ', kept]);
  expect(screen.queryByText('This is a required field')).toBeNull();
});

test('after a refused password, an empty one is an error from the next attempt on, and gets the focus', async () => {
  await open(password);
  await submit();
  server().on(LOGIN, { status: 401, body: {} });
  await enterPassword();
  expect(screen.getByRole('alert').textContent).toBe('Wrong password');
  await submit();
  expect(screen.getAllByText('This is a required field')).toHaveLength(1);
  expect(document.activeElement).toBe(field('Password'));
  expect(screen.queryByText('Wrong password')).toBeNull();
  expect(server().count(LOGIN)).toBe(1);
});

test('typed credentials are no unsaved work, so that the links of providers do not ask', async () => {
  await open(password);
  fireEvent.change(field('Username'), { target: { value: 'ada' } });
  expect(leaveGuards.get()).toEqual([]);
});

test('empty fields are not sent', async () => {
  await open(password);
  await submit();
  expect(screen.getAllByText('This is a required field')).toHaveLength(2);
  expect(server().requests.some(({ line }) => line.startsWith('POST'))).toBe(false);
});

test('a second submit while the first is running sends nothing', async () => {
  await open(password);
  server().hold(LOGIN);
  await enterPassword();
  await submit();
  expect(server().count(LOGIN)).toBe(1);
  server().on('GET api/admin/user', { body: { username: 'ada' } });
  (await server().take(LOGIN)).respond({});
  await settle();
  expect(authState.get()).toBeNull();
  expect(server().requests.find(({ line }) => line === LOGIN)?.body).toEqual({ username: 'ada', password: 'secret' });
});

test('a change of the user by another tab during the sign-in does not break it', async () => {
  await open(password);
  server().hold(LOGIN);
  await enterPassword();
  act(() => clearUserData({ rereads: true }));
  server().on('GET api/admin/user', { body: { username: 'ada' } });
  (await server().take(LOGIN)).respond({});
  await settle();
  expect(authState.get()).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an empty email is not sent, a second submit neither, and the email cannot be edited meanwhile', async () => {
  await open({ type: 'demo', path: '/auth/login' });
  await submit();
  expect(screen.getByText('This is a required field')).toBeDefined();
  server().hold(LOGIN);
  fireEvent.change(field('Email'), { target: { value: 'ada@example.com' } });
  await submit();
  await submit();
  expect(server().count(LOGIN)).toBe(1);
  expect(isDisabled(field('Email'))).toBe(true);
  server().on('GET api/admin/user', { body: { username: 'ada' } });
  (await server().take(LOGIN)).respond({});
  await settle();
  expect(authState.get()).toBeNull();
});

test('providers are offered before the password', async () => {
  const options = [
    { type: 'google', path: '/auth/google', value: 'Sign in with Google' },
    { type: 'bad', path: 'javascript:alert(1)', value: 'Bad' },
  ];
  await open({ ...password, message: 'Use your company account', options });
  expect(screen.getByText('Use your company account')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Sign in with Google' }).getAttribute('href')).toContain('/auth/google');
  expect(screen.queryByText('Bad')).toBeNull();
  expect(screen.queryByLabelText(/Username/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show more options' }));
  expect(field('Username')).toBeDefined();
});

test.each([
  ['/auth/saml', 'link'],
  ['javascript:alert(1)', 'text'],
])('a server with a sign-in page of its own links to it only if the URL is safe: %s', async (path, shown) => {
  await open({ type: 'custom', path });
  const link = screen.queryByRole('link', { name: 'Sign in' });
  if (shown === 'link') expect(link?.getAttribute('href')).toContain(path);
  else expect(screen.getByText(/does not provide a sign-in page/)).toBeDefined();
});

test('a server that names no URL for the sign-in shows that it is impossible at the moment', async () => {
  server().on('POST ', { status: 404, body: {} });
  await open({ type: 'demo' });
  fireEvent.change(field('Email'), { target: { value: 'ada@example.com' } });
  await submit();
  await settle();
  expect(screen.getByText('Could not sign in at the moment.')).toBeDefined();
});

const oidc = [{ type: 'oidc', path: '/-/oidc/start', value: 'Sign in with Example' }];

test('single sign-on is one button that returns to the current page', async () => {
  await open({ type: 'oidc', options: oidc });
  const link = screen.getByRole('link', { name: 'Sign in with Example' });
  expect(link.getAttribute('href')).toBe('/-/oidc/start?return=%2F');
  expect(link.getAttribute('target')).toBeNull();
  expect(screen.queryByText(/does not provide a sign-in page/)).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('unsaved work stays: single sign-on opens another tab, after which the dialog closes', async () => {
  leaveGuards.set([{}]);
  await open({ ...password, options: oidc, silentPath: '/-/oidc/start?silent=1' });
  const link = screen.getByRole('link', { name: 'Sign in with Example' });
  expect(link.getAttribute('target')).toBe('_blank');
  await act(async () => void window.dispatchEvent(new Event('focus')));
  await settle();
  expect(authState.get()).not.toBeNull();
  server().on('GET api/admin/user', { body: { username: 'ada' } });
  await act(async () => void window.dispatchEvent(new Event('focus')));
  await settle();
  expect(authState.get()).toBeNull();
  leaveGuards.set([]);
});

test.each<[string, () => () => void]>([
  [
    'an action that waits for the sign-in',
    () => {
      unfinishedActions.set(1);
      return () => unfinishedActions.set(0);
    },
  ],
  [
    'an open dialog',
    () => {
      const { unmount } = renderHook(() => useOverlay('dialog', true));
      return unmount;
    },
  ],
])('a session is not renewed silently while a reload would drop %s', async (_, start) => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  const end = start();
  await open({ type: 'oidc', options: oidc, silentPath: '/-/oidc/start?silent=1' });
  expect(assign).not.toHaveBeenCalled();
  expect(screen.getByRole('link', { name: 'Sign in with Example' })).toBeDefined();
  end();
  assign.mockRestore();
});

test('a session is renewed silently at most once a minute', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  const details = { type: 'oidc', options: oidc, silentPath: '/-/oidc/start?silent=1' } as AuthDetails;
  const show = () =>
    render(
      <MemoryRouter initialEntries={['/archive?q=1']}>
        <SignInDialog details={details} />
      </MemoryRouter>,
    );
  const first = show();
  expect(assign.mock.calls).toEqual([['/-/oidc/start?silent=1&return=%2Farchive%3Fq%3D1']]);
  expect(screen.getByRole('progressbar', { name: 'Renewing your session' })).toBeDefined();
  first.unmount();
  show();
  expect(assign).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('link', { name: 'Sign in with Example' })).toBeDefined();
  assign.mockRestore();
});
