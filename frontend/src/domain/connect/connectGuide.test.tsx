// @vitest-environment happy-dom
// The instructions to connect an application, in the complete console: names and tokens in the code, and the connection.
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ApiToken, PeriodCounts, SeenApp } from '@/api/generated/types';
import { accessibleDescription, chooseForToggle, click, dialog, fill, isDisabled, main } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole, serveUpstream } from '@/testing/flagService';
import { advance, cleanPageAfterEach, setHidden, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const [APPS, TOKENS] = ['GET api/admin/metrics/applications', 'api/admin/api-tokens'];
const MINUTES = 'GET api/admin/client-metrics/features/shop.basket/minutes';
const POLL_MS = 5000;

const app = (appName: string, updatedAt = new Date().toISOString()) => ({ appName, updatedAt }) as SeenApp;
const token = (name: string, kind: ApiToken['kind'] = 'client') => ({ name, kind }) as ApiToken;

function serveTokens(...tokens: ApiToken[]) {
  server().on(`GET ${TOKENS}`, { body: { tokens } });
  server().on(`POST ${TOKENS}`, ({ body }) => ({ status: 201, body: { ...(body as object), secret: 'abc123' } }));
}

function serveCounts(...data: Partial<PeriodCounts>[]) {
  server().on(MINUTES, { body: { version: 1, maturity: 'stable', data } });
}

/** Opens the page of the toggle with the instructions. */
async function openPanel(...tokens: ApiToken[]) {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  serveTokens(...tokens);
  serveCounts();
  await renderConsole('/features/strategies/shop.basket');
  await click(main().getByRole('button', { name: 'Use it' }));
}

const panel = () => dialog();
const close = () => click(panel().getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
const code = () => screen.getByRole('region', { name: /^Evaluate a toggle/ }).textContent;
const status = () => panel().getByRole('status').parentElement?.textContent;
const createButton = () => screen.getByRole('button', { name: /^Create token/u });
const created = () => server().requests.findLast(({ line }) => line === `POST ${TOKENS}`)?.body;

test('a new toggle shows the expression that evaluates it in one line, which opens the instructions', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  serveConsole(server());
  serveTokens();
  server().on('POST api/admin/features/validate', { status: 200 });
  server().on('POST api/admin/features', { status: 201, body: createToggle({ name: 'shop.new' }) });
  await renderConsole('/features/create#name=shop.new');
  serveConsole(server(), [createToggle({ name: 'shop.new' })]);
  await click(screen.getByRole('button', { name: 'Create' }));
  const line = within(main().getByRole('region', { name: 'Use it in code' }));
  expect(line.getByText("unleash.isEnabled('shop.new')")).toBeDefined();
  fill(line.getByLabelText('Client SDK'), 'Python');
  await click(line.getByRole('button', { name: 'Copy' }));
  expect(navigator.clipboard.writeText).toHaveBeenLastCalledWith('client.is_enabled("shop.new")');
  await click(line.getByRole('button', { name: 'Connect…' }));
  expect(code()).toContain("isEnabled('shop.new')");
  await close();
  await click(line.getByRole('button', { name: /^Close/ }));
  expect(main().queryByRole('region', { name: 'Use it in code' })).toBeNull();
});

test('the instructions are in the menu of the toggle, and beside its usage until an application uses it', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  serveTokens();
  serveCounts();
  server().on('GET api/admin/metrics/seen-apps', { body: { 'shop.basket': [app('shop')] } });
  await renderConsole('/features/strategies/shop.basket');
  expect(main().getByRole('link', { name: 'shop' })).toBeDefined();
  expect(main().queryByRole('button', { name: 'Use it' })).toBeNull();
  await chooseForToggle('shop.basket', 'Use it');
  expect(code()).toContain("isEnabled('shop.basket')");
});

test('the code contains the toggle, the application and a token that is created in place, and is copied', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openPanel();
  fill(panel().getByLabelText('Application name'), "till's");
  expect(code()).toContain(`appName: 'till\\'s'`);
  expect(code()).toContain(`isEnabled('shop.basket')`);
  expect(code()).toContain(`Authorization: 'TOKEN'`);
  expect(panel().getByText(/This is the first client token/)).toBeDefined();
  await click(createButton());
  expect(created()).toMatchObject({ name: "till's", kind: 'client', origins: [] });
  expect(code()).toContain(`Authorization: 'abc123'`);
  expect(panel().getByText(/cannot be shown again/)).toBeDefined();
  expect(document.activeElement).toBe(panel().getByRole('button', { name: 'Copy: Evaluate a toggle (Node.js)' }));
  expect(writeText).toHaveBeenLastCalledWith(code());
  expect(location.href).not.toContain('abc123');
});

test('a token of browsers needs an origin, and no other kind of code contains it', async () => {
  await openPanel();
  const select = (label: string, value: string) => fill(panel().getByLabelText(label), value);
  select('Runs on', 'browser');
  await settlePage();
  expect(accessibleDescription(createButton())).toBe('Enter the origin of your page.');
  fill(panel().getByLabelText('Origin of your page'), 'shop.example');
  expect(panel().getByRole('alert').textContent).toContain('shop.example is not an origin');
  fill(panel().getByLabelText('Origin of your page'), 'https://shop.example');
  await click(createButton());
  expect(created()).toMatchObject({ name: 'my-app', kind: 'frontend', origins: ['https://shop.example'] });
  expect(code()).toContain(`clientKey: 'abc123'`);
  select('Runs on', 'server');
  expect(code()).toContain(`'TOKEN'`);
});

test('a link asks before the secret in the code is lost, if the code could not be copied', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  Object.assign(document, { execCommand: () => false });
  await openPanel();
  await click(createButton());
  const leave = () =>
    // Behind the dialog.
    click(
      within(screen.getByRole('navigation', { name: 'Main', hidden: true })).getByRole('link', {
        name: /^Archive/,
        hidden: true,
      }),
    );
  await leave();
  await click(screen.getByRole('button', { name: 'Stay' }));
  expect(code()).toContain('abc123');
  writeText.mockResolvedValue();
  await click(panel().getByRole('button', { name: /^Copy: Evaluate/ }));
  await leave();
  expect(location.pathname).toBe('/archive');
});

test('a secret stays while the instructions are closed, also if it comes then', async () => {
  await openPanel();
  server().hold(`POST ${TOKENS}`);
  await click(createButton());
  const request = await server().take(`POST ${TOKENS}`);
  await close();
  request.respond({ status: 201, body: { name: 'my-app', kind: 'client', secret: 'abc123' } });
  await settlePage();
  await click(main().getByRole('button', { name: 'Use it' }));
  expect(code()).toContain(`Authorization: 'abc123'`);
});

test('the origin of a token cannot be edited while the token is created', async () => {
  await openPanel();
  fill(panel().getByLabelText('Runs on'), 'browser');
  await settlePage();
  fill(panel().getByLabelText('Origin of your page'), 'https://shop.example');
  server().hold(`POST ${TOKENS}`);
  await click(createButton());
  await server().take(`POST ${TOKENS}`);
  expect(isDisabled(panel().getByLabelText('Origin of your page'))).toBe(true);
});

test('a token gets a free name, and a failure is shown in place', async () => {
  await openPanel(token('my-app'), token('my-app-2'));
  expect(panel().queryByText(/This is the first client token/)).toBeNull();
  server().on(`POST ${TOKENS}`, { status: 409, body: { message: 'A token of this name already exists' } });
  await click(createButton());
  expect(created()).toMatchObject({ name: 'my-app-3' });
  expect(panel().getByRole('alert').textContent).toContain('already exists');
  expect(isDisabled(createButton())).toBe(false);
});

test.each([
  ['the permission', { 'api/admin/user': { username: 'guest', permissions: [] } }, /CREATE_API_TOKEN/],
  ['write access', { '-/settings': { ...SETTINGS, readOnly: true } }, /read-only/i],
])('without %s, no token can be created', async (_, responses, reason) => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  for (const [path, body] of Object.entries(responses)) server().on(`GET ${path}`, { body });
  serveTokens();
  await renderConsole('/applications');
  expect(accessibleDescription(createButton())).toMatch(reason);
  // The first toggle of the list.
  expect(code()).toContain(`isEnabled('shop.basket')`);
});

test('in front of another flag service, the code contains the entered token, and no tokens are read', async () => {
  serveUpstream(server(), { [APPS]: { body: { applications: [] } } });
  await renderConsole('/applications');
  expect(screen.queryByRole('button', { name: /^Create token/u })).toBeNull();
  expect(main().getByText(/Enter a client token of the flag service/)).toBeDefined();
  fill(main().getByLabelText('Token'), ' upstream-secret ');
  expect(code()).toContain(`Authorization: 'upstream-secret'`);
  expect(server().count(`GET ${TOKENS}`)).toBe(0);
});

test('waits for the application, counts its checks, and stops when it is hidden or closed', async () => {
  await openPanel();
  expect(status()).toBe('Waiting for my-app…');
  server().on(APPS, { body: { applications: [app('other'), app('my-app')] } });
  await advance(POLL_MS);
  expect(status()).toContain('Connected. No checks of shop.basket yet');
  serveCounts({ appName: 'my-app', yes: 10, no: 2 }, { appName: 'other', yes: 5, no: 0 });
  await advance(POLL_MS);
  expect(status()).toContain('Connected, 12 checks of shop.basket in the last hour.');
  setHidden(true);
  const reads = server().count(APPS);
  await advance(3 * POLL_MS);
  expect(server().count(APPS)).toBe(reads);
  setHidden(false);
  await advance(POLL_MS);
  expect(server().count(APPS)).toBeGreaterThan(reads);
  await close();
  const readsUntilClosed = server().count(APPS);
  await advance(3 * POLL_MS);
  expect(server().count(APPS)).toBe(readsUntilClosed);
});

test.each([
  ['an application that was silent for an hour', 60, 'Waiting for my-app… Its last report was 1 hour ago.'],
  ['an application that reported a minute ago', 1, 'Connected. No checks of shop.basket yet'],
])('the connection of %s', async (_, minutes, expected) => {
  const reportedAt = new Date(Date.now() - minutes * 60_000).toISOString();
  await openPanel();
  server().on(APPS, { body: { applications: [app('my-app', reportedAt)] } });
  await advance(POLL_MS);
  expect(status()).toContain(expected);
});
