// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Account, UserSession } from '@/api/generated/types';
import { button, choose, click, dialog, fill, main, row, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveConsole, UPSTREAM_HOST } from '@/testing/flagService';
import { asksBeforeClose, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const USERS = 'GET api/admin/users';
const ONE_TIME = 'abcd-efgh-ijkl-mnop';

function account(username: string, changes: Partial<Account> = {}): Account {
  return {
    username,
    name: null,
    email: null,
    permissions: [],
    isDisabled: false,
    oneTimeUntil: null,
    createdAt: '2026-01-05T08:00:00Z',
    ...changes,
  };
}

const ANNA = account('anna', { permissions: ['ADMIN'] });
const BERT = account('bert', { name: 'Bert B.', permissions: ['CREATE_TAG', 'UPDATE_FEATURE'] });

function serveUsers(...users: Account[]) {
  server().on(USERS, { body: { users } });
}

beforeEach(() => {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, sessions: true } });
  server().on('GET api/admin/user', { body: { username: 'anna', permissions: ['ADMIN'] } });
  server().on('GET api/admin/sessions', { body: { sessions: [], isComplete: true } });
  serveUsers(ANNA, BERT);
});

const changes = () => server().requests.filter(({ line }) => !line.startsWith('GET') && line.includes('users'));

test('lists users with permissions, state and sessions', async () => {
  const session = { username: 'bert', lastUsedAt: '2026-01-05T09:00:00Z' } as UserSession;
  server().on('GET api/admin/sessions', { body: { sessions: [session, session], isComplete: true } });
  serveUsers(
    ANNA,
    BERT,
    account('carl', { isDisabled: true }),
    account('dora', { oneTimeUntil: '2026-01-08T08:00:00Z' }),
  );
  await renderConsole('/users');
  expect(row('anna').textContent).toContain('annaYouAdministratorNot signed in');
  expect(row('bert').textContent).toContain('bertBert B.Toggles (edit and switch); tags (create)2 sessions');
  expect(row('carl').textContent).toContain('carlDisabledRead only');
  expect(row('dora').textContent).toContain('doraOne-time password');
  expect(main().getByRole('link', { name: '2 sessions' }).getAttribute('href')).toBe('/users/sessions?filter=bert');
});

test('a new user gets the chosen permissions and a one-time password, which is shown once', async () => {
  server().on('POST api/admin/users', {
    status: 201,
    body: { ...account('dora', { oneTimeUntil: '2026-01-08T08:00:00Z' }), oneTimePassword: ONE_TIME },
  });
  await renderConsole('/users/create');
  await click(button('Add'));
  expect(main().getByText('Enter a user name.')).toBeTruthy();
  expect(changes()).toEqual([]);
  fill(main().getByLabelText(/User name/u), ' dora ');
  await click(main().getByRole('checkbox', { name: 'Archive toggles' }));
  await click(button('Add'));
  const [request] = changes();
  expect(request?.body).toEqual({ username: 'dora', name: null, email: null, permissions: ['DELETE_FEATURE'] });
  expect(main().getByLabelText('One-time password')).toHaveProperty('value', ONE_TIME);
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await click(button('Copy password'));
  expect(copy).toHaveBeenCalledWith(ONE_TIME);
});

test('a name that is taken is shown at its field', async () => {
  server().on('POST api/admin/users', { status: 409, body: { message: 'A user named bert already exists' } });
  await renderConsole('/users/create');
  fill(main().getByLabelText(/User name/u), 'bert');
  await click(button('Add'));
  await settlePage();
  expect(main().getByText(/A user named bert already exists/u)).toBeTruthy();
});

test('only the difference of the permissions is sent', async () => {
  server().on('POST api/admin/users/bert/permissions', { body: BERT });
  await renderConsole('/users/edit/bert');
  await click(main().getByRole('checkbox', { name: 'Create tags' }));
  await click(main().getByRole('checkbox', { name: 'Create toggles' }));
  // A colleague grants another permission meanwhile.
  serveUsers(ANNA, { ...BERT, permissions: [...BERT.permissions, 'CREATE_ADDON'] });
  await click(button('Save'));
  expect(changes()[0]?.body).toEqual({ granted: ['CREATE_FEATURE'], revoked: ['CREATE_TAG'] });
  expect(location.pathname).toBe('/users');
  expect(snackbarText()).toContain('The permissions of bert were changed.');
});

test('revoking the own right to manage users says so', async () => {
  await renderConsole('/users/edit/anna');
  expect(main().queryByText(/you can no longer manage users/u)).toBeNull();
  await click(main().getByRole('checkbox', { name: 'Administrator' }));
  expect(main().getByText(/you can no longer manage users/u)).toBeTruthy();
  expect(main().getByRole('checkbox', { name: 'Create toggles' })).toHaveProperty('checked', false);
});

test.each<[string, string, string, Account]>([
  ['Disable', 'Disable', 'POST api/admin/users/bert/disable', BERT],
  ['Enable', 'Enable', 'POST api/admin/users/bert/enable', { ...BERT, isDisabled: true }],
  ['Remove', 'Remove', 'DELETE api/admin/users/bert', BERT],
])('%s asks first, and a refusal stays in the dialog', async (item, confirm, request, bert) => {
  serveUsers(ANNA, bert);
  const message = 'This is the last enabled user with ADMIN; grant ADMIN to another user first';
  server().on(request, { status: 409, body: { message } });
  await renderConsole('/users');
  await choose('Actions for bert', item);
  expect(changes()).toEqual([]);
  await click(dialog().getByRole('button', { name: confirm }));
  expect(dialog().getByRole('alert').textContent).toContain(message);
  server().on(request, { body: bert });
  await click(dialog().getByRole('button', { name: confirm }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(changes()).toHaveLength(2);
});

test('a forgotten password is replaced by a one-time password', async () => {
  server().on('POST api/admin/users/bert/password', { body: { ...BERT, oneTimePassword: ONE_TIME } });
  await renderConsole('/users');
  await choose('Actions for bert', 'New one-time password');
  await click(dialog().getByRole('button', { name: 'Replace password' }));
  await settlePage();
  expect(screen.getByLabelText('One-time password')).toHaveProperty('value', ONE_TIME);
  await click(dialog().getByRole('button', { name: 'Done' }));
  expect(screen.queryByLabelText('One-time password')).toBeNull();
});

async function openPage(path: string) {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  await settlePage();
}

test('closing the window asks while the one-time password of a new user is neither copied nor done', async () => {
  server().on('POST api/admin/users', { status: 201, body: { ...account('dora'), oneTimePassword: ONE_TIME } });
  for (const end of ['Copy password', 'Done']) {
    await renderConsole('/users/create');
    fill(main().getByLabelText(/User name/u), 'dora');
    await click(button('Add'));
    expect(asksBeforeClose()).toBe(true);
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await click(main().getByText(end));
    expect(asksBeforeClose(), end).toBe(false);
    document.body.replaceChildren();
  }
});

test('a one-time password whose page was left is shown under Users, and closing the window asks until then', async () => {
  const reset = 'POST api/admin/users/bert/password';
  await renderConsole('/users');
  server().hold(reset);
  await choose('Actions for bert', 'New one-time password');
  await click(dialog().getByRole('button', { name: 'Replace password' }));
  const request = await server().take(reset);
  await openPage('/archive');
  expect(asksBeforeClose()).toBe(true);
  request.respond({ body: { ...BERT, oneTimePassword: ONE_TIME } });
  await settlePage();
  expect(snackbarText()).toContain('Copy the one-time password of bert under Users');
  expect(asksBeforeClose()).toBe(true);
  await openPage('/users');
  expect(dialog().getByLabelText('One-time password')).toHaveProperty('value', ONE_TIME);
  await click(dialog().getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(asksBeforeClose()).toBe(false);
});

test('in front of an upstream, the page shows the sessions only', async () => {
  const settings = { ...SETTINGS, sessions: true, mode: 'upstream', upstream: UPSTREAM_HOST } as const;
  server().on('GET -/settings', { body: settings });
  const session = { id: 'c1', name: 'Carl', email: null, username: null } as UserSession;
  server().on('GET api/admin/sessions', { body: { sessions: [session], isComplete: true } });
  await renderConsole('/users');
  expect(main().queryByRole('link', { name: 'Accounts' })).toBeNull();
  expect(main().queryByRole('link', { name: 'anna' })).toBeNull();
  expect(main().getByRole('rowheader', { name: 'Carl' })).toBeTruthy();
});

test('a user without the right gets the reason', async () => {
  server().on('GET api/admin/user', { body: { username: 'bert', permissions: [] } });
  const message = 'You need the permission ADMIN for this.';
  server().on(USERS, { status: 403, body: { code: 'forbidden', message, permission: 'ADMIN' } });
  await renderConsole('/users');
  expect(main().getByText('Only administrators can see users')).toBeTruthy();
});
