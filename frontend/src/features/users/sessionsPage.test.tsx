// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SessionsResponse, UserSession } from '@/api/generated/types';
import {
  accessibleDescription,
  choose,
  click,
  dialog,
  isDisabled,
  main,
  row,
  snackbarText,
} from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveConsole, UPSTREAM_HOST } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const SESSIONS = 'GET api/admin/sessions';

function session(id: string, changes: Partial<UserSession> = {}): UserSession {
  return {
    id,
    name: 'Bert B.',
    email: 'bert@example.com',
    username: 'bert',
    issuer: null,
    subject: null,
    method: 'password',
    address: '192.0.2.7',
    client: 'Firefox on Linux',
    createdAt: '2026-01-05T08:00:00Z',
    lastUsedAt: '2026-01-05T09:00:00Z',
    expiresAt: '2026-01-05T20:00:00Z',
    isOwn: false,
    ...changes,
  };
}

const OWN = session('own', { name: 'operator', email: null, username: 'operator', isOwn: true });
const CARL = session('c1', {
  name: 'Carl',
  email: null,
  username: null,
  issuer: 'https://login.example/',
  subject: 'a&b',
  method: 'provider',
  client: null,
  address: null,
});

async function openSessions(sessions: readonly UserSession[], isComplete = true, query = '') {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, sessions: true } });
  const body: SessionsResponse = { sessions: [...sessions], isComplete };
  server().on(SESSIONS, { body });
  await renderConsole(`/users/sessions${query}`);
}

test.each([
  ['bert@', ['Bert B.']],
  ['192.0.2.7', ['Bert B.']],
  ['carl', ['Carl']],
  ['nobody', []],
])('filters by person, browser and address: %s', async (filter, names) => {
  await openSessions([{ ...OWN, address: null }, session('b1'), CARL], true, `?filter=${filter}`);
  const found = main().queryAllByRole('rowheader');
  expect(found.map((header) => header.textContent?.replace(/ ?bert@.*/u, ''))).toEqual(names);
});

const deletions = () => server().requests.flatMap(({ line }) => (line.startsWith('DELETE') ? [line] : []));

test('shows who is signed in, how, with which browser and since when', async () => {
  await openSessions([OWN, session('b1'), CARL], false);
  expect(within(row('operator')).getByText('This session')).toBeTruthy();
  expect(row('Bert B.').textContent).toContain('bert@example.com');
  expect(row('Bert B.').textContent).toContain('Password');
  expect(row('Bert B.').textContent).toContain('Firefox on Linux192.0.2.7');
  expect(row('Carl').textContent).toContain('Single sign-onUnknown browser');
  expect(main().getByText('Only the most recently used sessions are shown.')).toBeTruthy();
});

test.each<[string, UserSession[], string, string, RegExp, string, string]>([
  [
    'one session of a user with a password',
    [OWN, session('b1'), session('b2', { name: 'Other', username: 'other' })],
    'Bert B.',
    'Revoke session',
    /^Bert B\. will be signed out in Firefox on Linux: the next request is refused\..*disable bert under Users too\.$/u,
    'DELETE api/admin/sessions/b1',
    'Revoked a session of Bert B.',
  ],
  [
    'all sessions of a user',
    [OWN, session('b1'), session('b2', { name: 'Bert B. again' }), session('b3', { name: 'Third', username: 'x' })],
    'Bert B.',
    'Revoke all 2 sessions of Bert B.',
    /signed out everywhere.*disable bert under Users too\.$/u,
    'DELETE api/admin/sessions?username=bert',
    'Revoked 2 sessions of Bert B.',
  ],
  [
    'all sessions of a person of the identity provider',
    [OWN, CARL, { ...CARL, id: 'c2', name: 'Carl again' }],
    'Carl',
    'Revoke all 2 sessions of Carl',
    /everywhere.*block the account at the identity provider too\.$/u,
    'DELETE api/admin/sessions?issuer=https%3A%2F%2Flogin.example%2F&subject=a%26b',
    'Revoked 2 sessions of Carl',
  ],
])('revokes %s after a confirmation', async (_, sessions, name, action, question, request, notice) => {
  await openSessions(sessions);
  const revoked = request.includes('?') ? 2 : 1;
  server().on(request, { body: { revoked, includesOwn: false } });
  await choose(`Actions for the session of ${name}`, action);
  expect(dialog().getByText(/will be signed out/u).parentElement?.textContent).toMatch(question);
  expect(deletions()).toEqual([]);
  server().on(SESSIONS, { body: { sessions: [OWN], isComplete: true } });
  await click(dialog().getByRole('button', { name: 'Revoke' }));
  expect(deletions()).toEqual([request]);
  expect(snackbarText()).toContain(notice);
  expect(main().getAllByRole('rowheader')).toHaveLength(1);
});

test('a session that has ended in the meantime is reported, and the list is read again', async () => {
  await openSessions([OWN, session('b1')]);
  server().on('DELETE api/admin/sessions/b1', { body: { revoked: 0, includesOwn: false } });
  await choose('Actions for the session of Bert B.', 'Revoke session');
  server().on(SESSIONS, { body: { sessions: [OWN], isComplete: true } });
  await click(dialog().getByRole('button', { name: 'Revoke' }));
  expect(snackbarText()).toContain('The session of Bert B. had already ended');
  expect(main().queryByText('Bert B.')).toBeNull();
});

test('a failed revocation is shown in the dialog, and can be repeated', async () => {
  await openSessions([OWN, session('b1')]);
  server().on('DELETE api/admin/sessions/b1', { status: 503, body: { code: 'storage', message: 'The disk is full' } });
  await choose('Actions for the session of Bert B.', 'Revoke session');
  await click(dialog().getByRole('button', { name: 'Revoke' }));
  expect(dialog().getByRole('alert').textContent).not.toBe('');
  server().on('DELETE api/admin/sessions/b1', { body: { revoked: 1, includesOwn: false } });
  await click(dialog().getByRole('button', { name: 'Revoke' }));
  expect(snackbarText()).toContain('Revoked a session of Bert B.');
});

test('revoking the own session signs out', async () => {
  await openSessions([OWN]);
  server().on('POST -/logout', { body: { location: null } });
  await choose('Actions for the session of operator', 'Sign out');
  await click(dialog().getByRole('button', { name: 'Sign out' }));
  expect(deletions()).toEqual([]);
  expect(screen.getByText('You are signed out')).toBeTruthy();
});

test('revoking all own sessions signs out', async () => {
  await openSessions([OWN, { ...OWN, id: 'o2', isOwn: false, name: 'operator elsewhere' }]);
  server().on('DELETE api/admin/sessions?username=operator', { body: { revoked: 2, includesOwn: true } });
  server().on('POST -/logout', { body: { location: null } });
  await choose('Actions for the session of operator', 'Revoke all 2 sessions of operator');
  expect(dialog().getByText(/You will be signed out too/u)).toBeTruthy();
  await click(dialog().getByRole('button', { name: 'Revoke' }));
  expect(screen.getByText('You are signed out')).toBeTruthy();
});

test.each([
  ['without a sign-in', {}, 'Users sign in without a password.'],
  [
    'in front of an upstream',
    { mode: 'upstream', upstream: UPSTREAM_HOST } as const,
    `${UPSTREAM_HOST} manages the users`,
  ],
])('explains why there are no sessions %s', async (_, settings, text) => {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, ...settings } });
  await renderConsole('/users/sessions');
  expect(main().getByText(text, { exact: false })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Users' })).toBeNull();
});

test('only administrators see sessions and the entry of the menu', async () => {
  await openSessions([OWN]);
  const menu = within(screen.getByRole('navigation', { name: 'Main' }));
  expect(menu.getByRole('link', { name: 'Users' }).getAttribute('href')).toBe('/users');
});

test('others get the reason instead of sessions', async () => {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, sessions: true } });
  server().on('GET api/admin/user', { body: { username: 'reader', permissions: [] } });
  const message = 'You need the permission ADMIN for this.';
  server().on(SESSIONS, { status: 403, body: { code: 'forbidden', message, permission: 'ADMIN' } });
  await renderConsole('/users/sessions');
  expect(main().getByText('Only administrators can see sessions')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Users' })).toBeNull();
});

test('a read-only console shows sessions and revokes none', async () => {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, sessions: true, readOnly: true } });
  server().on(SESSIONS, { body: { sessions: [OWN], isComplete: true } });
  await renderConsole('/users/sessions');
  const menu = main().getByRole('button', { name: 'Actions for the session of operator' });
  expect(isDisabled(menu)).toBe(true);
  expect(accessibleDescription(menu)).toBe('This console is read-only.');
});
