// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { askToSignIn } from '@/api/authState';
import { click, main, signInByEmail } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const SIGN_IN = { type: 'unsecure', path: '/api/admin/login', message: 'Who are you?' };
const AT = '2026-01-05T10:00:00.000Z';

/** The pages of all lists, with a response that contains this name. */
const LISTS: readonly [path: string, line: string, body: (name: string) => unknown][] = [
  ['/features', 'features', (name) => ({ version: 1, features: [toggle(name)] })],
  ['/archive', 'archive/features', (name) => ({ features: [toggle(name)] })],
  [
    '/history',
    'events',
    (name) => ({ events: [{ id: 1, type: 'feature-created', createdBy: 'a', createdAt: AT, data: toggle(name) }] }),
  ],
  [
    '/strategies',
    'strategies',
    (name) => ({ strategies: [{ name, description: '', editable: true, parameters: [] }] }),
  ],
  ['/applications', 'metrics/applications', (name) => ({ applications: [{ appName: name }] })],
  ['/context', 'context', (name) => [{ name, description: '', sortOrder: 1, legalValues: [] }]],
  ['/projects', 'projects', (name) => ({ projects: [{ id: name, name, description: '' }] })],
  ['/tag-types', 'tag-types', (name) => ({ tagTypes: [{ name, description: '', icon: 'T' }] })],
  ['/tags', 'tags', (name) => ({ tags: [{ type: 'simple', value: name }] })],
  ['/addons', 'addons', (name) => ({ providers: [], addons: [{ id: 1, provider: name, parameters: {}, events: [] }] })],
];

const serveUser = (email: string) => server().on('GET api/admin/user', { body: { email, permissions: ['ADMIN'] } });

/** Signs out, then in as another user. */
async function signOutAndIn(): Promise<void> {
  server().on('POST -/logout', { body: {} });
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Sign out' }));
  expect(screen.getByRole('heading', { name: 'You are signed out' })).toBeDefined();
  expect(screen.queryByText(/secret/)).toBeNull();
  expect(screen.queryByText('first@example.com')).toBeNull();
  await click(screen.getByRole('link', { name: 'Sign in again' }));
}

/** Signs in as another user when the session has ended. */
async function signInOverThePage(): Promise<void> {
  act(() => askToSignIn(SIGN_IN));
  await settlePage();
  server().on('POST api/admin/login', { body: {} });
  await signInByEmail('second@example.com');
  expect(location.pathname).toBe('/features');
}

describe.each([
  ['a sign-out', signOutAndIn],
  ['a sign-in as another user', signInOverThePage],
])('[S4-019] [S4-021] after %s', (_, changeUser) => {
  test.each(LISTS)('%s shows nothing of the user before', async (path, list, body) => {
    const line = `GET api/admin/${list}`;
    serveUpstream(server(), { [line]: { body: body('secret.plan') } });
    serveUser('first@example.com');
    await renderConsole(path);
    expect(main().getAllByText(/secret\.plan/).length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'first@example.com' })).toBeDefined();

    serveUser('second@example.com');
    server().on(line, { body: body('public.plan') });
    server().hold(line);
    await changeUser();
    expect(screen.getByRole('button', { name: 'second@example.com' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'first@example.com' })).toBeNull();
    act(() => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await settlePage();
    expect(screen.queryByText(/secret/)).toBeNull();
    server().respondToAll(line);
    await settlePage();
    expect(main().getAllByText(/public\.plan/).length).toBeGreaterThan(0);
    expect(screen.queryByText(/secret/)).toBeNull();
  });
});

test('[S4-021] another user sees neither undo offers nor recent names of the user before', async () => {
  serveUpstream(server(), { 'GET api/admin/features': { body: { features: [toggle('secret.plan')] } } });
  serveUser('first@example.com');
  const off = toggle('secret.plan', { enabled: false });
  server().on('POST api/admin/features/secret.plan/toggle/off', { body: off });
  const openPalette = async (query: string) => {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await settlePage();
    fireEvent.change(screen.getByRole('combobox', { name: 'Search or run a command' }), { target: { value: query } });
    await settlePage();
  };
  const press = async (key: string) => {
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Search or run a command' }), { key });
    await settlePage();
  };
  await renderConsole('/features');
  await openPalette('secret.plan');
  await press('Enter');
  expect(location.pathname).toBe('/features/strategies/secret.plan');
  await click(main().getByRole('switch', { name: 'Enabled' }));
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
  await openPalette('');
  await press('Escape');

  serveUser('second@example.com');
  server().on('GET api/admin/features', { body: { features: [toggle('public.plan')] } });
  await signOutAndIn();
  expect(screen.queryByTestId('snackbar')).toBeNull();
  expect(screen.getByRole('button', { name: 'second@example.com' })).toBeDefined();
  await openPalette('');
  expect(screen.getAllByRole('option').length).toBeGreaterThan(0);
  expect(screen.queryByText(/secret/)).toBeNull();
  await openPalette('plan');
  expect(screen.getByRole('option', { name: 'public.plan on' })).toBeDefined();
  expect(screen.queryByText(/secret/)).toBeNull();
  await press('Escape');
});
