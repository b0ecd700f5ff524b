// @vitest-environment happy-dom
// Sign-in methods and refusals of the flag service. A journey in the browser: e2e/sign-in-methods.spec.ts.
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { basePath } from '@/lib/urls';
import { accessibleDescription, click, fill, main, signInByEmail, signInDialog } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveUpstream } from './flagService';
import { cleanPageAfterEach } from './page';
import { renderConsole } from './renderConsole';
import { EMPTY_SERVICE, type Responses } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const PASSWORD_SERVER = { type: 'password', path: '/auth/simple/login', message: 'You must sign in' };

/** Lets the service require a sign-in: each read is refused with these details. */
function requireSignIn(details: object): void {
  const reads = Object.keys(EMPTY_SERVICE).map((line) => [line, { status: 401, body: details }]);
  serveUpstream(server(), Object.fromEntries(reads) as Responses);
}

/** Lets a request sign the user in. */
function acceptSignIn(line: string): void {
  server().on(line, () => {
    serveUpstream(server());
    return { body: { email: 'operator@example.com' } };
  });
}

const field = (label: string) => signInDialog().getByLabelText<HTMLInputElement>(label);
const text = () => screen.getByRole('dialog', { name: 'Action Required' }).textContent;
const submit = () => click(signInDialog().getByRole('button', { name: 'Sign in' }));

async function signInByPassword(username: string, password: string): Promise<void> {
  fill(field('Username'), username);
  fill(field('Password'), password);
  await submit();
}

/** The requests that were sent. */
const sent = (line: string) => server().requests.filter((request) => request.line === line);
const listIsEmpty = () => expect(main().getByText(/Empty list of feature toggles/)).toBeDefined();

describe('a server with password sign-in', () => {
  beforeEach(() => requireSignIn(PASSWORD_SERVER));

  test.each([
    ['[S7-022] its usual path', '/auth/simple/login', 'auth/simple/login'],
    ['[S7-022] another path that it names', '/auth/directory/login', 'auth/directory/login'],
    ['the path that the setting `proxy-prefix` publishes', '/sso/auth/login', 'sso/auth/login'],
  ])('[S2-107] [S7-023] receives user name and password at %s', async (_, path, line) => {
    requireSignIn({ ...PASSWORD_SERVER, path });
    acceptSignIn(`POST ${line}`);
    await renderConsole('/features');
    expect(text()).toContain('You must sign in');
    await signInByPassword('operator', 'right');
    expect(screen.queryByRole('dialog')).toBeNull();
    listIsEmpty();
    expect(sent(`POST ${line}`).map(({ body }) => body)).toEqual([{ username: 'operator', password: 'right' }]);
    expect(sent(`POST ${line}`)[0]?.headers.get('content-type')).toBe('application/json');
  });

  test('[S5-036] is not called while a field is empty', async () => {
    await renderConsole('/features');
    await submit();
    expect(accessibleDescription(field('Username'))).toBe('This is a required field');
    expect(accessibleDescription(field('Password'))).toBe('This is a required field');
    fill(field('Username'), 'operator');
    await submit();
    expect(accessibleDescription(field('Username'))).toBe('');
    expect(accessibleDescription(field('Password'))).toBe('This is a required field');
    expect(sent('POST auth/simple/login')).toEqual([]);
  });

  test.each([
    ['[S8-028]', 404, 'User not found', ''],
    ['[S8-029]', 400, 'Wrong password', ''],
    ['[S8-029]', 401, 'Wrong password', ''],
    ['[S8-030]', 500, 'Could not sign in at the moment.', 'guess'],
  ])('%s that refuses with %i shows %j, and the password is then %j', async (_, status, message, password) => {
    server().on('POST auth/simple/login', { status });
    await renderConsole('/features');
    await signInByPassword('operator', 'guess');
    expect(signInDialog().getByRole('alert').textContent).toBe(message);
    expect(field('Password').value).toBe(password);
    expect(field('Username').value).toBe('operator');
  });
});

describe('a server with email sign-in', () => {
  test.each([
    ['[S7-022] [S7-024] at the path that the server names', 'unsecure', '/api/admin/directory/login'],
    ['[S2-107] [S7-024] of type demo, as Unleash 4.0 to 4.22 call it', 'demo', '/auth/demo/login'],
    ['at the path that the setting `proxy-prefix` publishes', 'unsecure', '/sso/api/admin/login'],
  ])('receives the address %s', async (_, type, path) => {
    requireSignIn({ type, path, message: 'You have to identify yourself' });
    acceptSignIn(`POST ${path.slice(1)}`);
    await renderConsole('/features');
    expect(text()).toContain('You have to identify yourself');
    await signInByEmail('operator@example.com');
    listIsEmpty();
    expect(sent(`POST ${path.slice(1)}`).map(({ body }) => body)).toEqual([{ email: 'operator@example.com' }]);
  });
});

describe('a server with external sign-in', () => {
  const message = 'Sign in with your company';

  test.each([
    ['custom', '/auth/google/login'],
    [undefined, '/auth/google/login'],
    ['custom', '/sso/auth/start'],
  ])('[S2-107] [S3-034] of type %s shows its message and a link to %s', async (type, path) => {
    requireSignIn({ type, path, message });
    await renderConsole('/features');
    expect(text()).toContain(message);
    expect(signInDialog().queryByRole('textbox')).toBeNull();
    expect(signInDialog().getByRole('link').getAttribute('href')).toBe(basePath.replace(/\/$/, '') + path);
  });

  test('[S3-034] cannot make the link run a script', async () => {
    requireSignIn({ type: 'custom', path: 'javascript:alert(1)', message });
    await renderConsole('/features');
    expect(text()).toContain(message);
    expect(document.querySelector('[href^="javascript" i]')).toBeNull();
    expect(text()).toContain('The server does not provide a sign-in page');
  });

  test('[S2-108] [S2-109] [S3-034] shows its providers first and the password behind them', async () => {
    const options = [
      { type: 'google', path: '/auth/google/login', value: 'Sign in with Google' },
      { type: 'saml', path: '/sso/auth/saml', value: 'Sign in with the company' },
    ];
    requireSignIn({ ...PASSWORD_SERVER, options });
    await renderConsole('/features');
    for (const { path, value } of options)
      expect(signInDialog().getByRole('link', { name: value }).getAttribute('href')).toBe(path);
    expect(signInDialog().queryByLabelText('Password')).toBeNull();
    await click(signInDialog().getByRole('button', { name: 'Show more options' }));
    expect(field('Password')).toBeDefined();
  });
});
