// Sign-in at a provider in front of a real flag service: with its sign-in by email address (`upstream-sign-in = demo`), or with
// one account for all persons (`shared`).

import { writeFile } from 'node:fs/promises';
import type { APIRequestContext, Page, TestInfo } from '@playwright/test';
import { EnvironmentFlags } from './environmentFlags';
import { entries } from './events';
import { test as base, expect, forwardTo } from './fixtures';
import { Flags } from './flags';
import { type Site, setGroups, signInAtProvider, startSite } from './provider';
import type { RealServer } from './realServer';
import { SLOWDOWN } from './slowdown';
import { Ui } from './ui';
import { hasEnvironments } from './versions';

const NAME = 'shop.basket';
const GRANTS = ['--oidc-allow', 'staff', '--oidc-grant', 'staff=UPDATE_FEATURE', '--oidc-grant', 'admins=ADMIN'];
const SETTINGS = ['--upstream-sign-in', 'demo', ...GRANTS];
const SHARED_EMAIL = 'shared@example.com';

/** Flagdeck in front of a real server, which has the toggle `NAME`. It is off. */
interface Installation {
  site: Site;
  server: RealServer;
  /** Signed in at the flag service itself, under another name than the persons. */
  direct: APIRequestContext;
}

/** The real server must sign in everyone with an email address. */
export const test = base.extend<{ isShared: boolean; installation: Installation }>({
  signedIn: false,
  /** True if all persons use one account of the flag service. */
  isShared: [false, { option: true }],
  installation: async ({ realServer, environment, isShared, playwright }, use, testInfo) => {
    const server = required(realServer);
    const direct = await playwright.request.newContext();
    const shared = await playwright.request.newContext();
    await server.reset();
    await signInDirectly(direct, server, 'setup@example.com');
    await createToggle(direct, server);
    const settings = isShared ? await sharedSettings(shared, server, testInfo) : SETTINGS;
    const site = await startSite(testInfo, ...forwardTo(server, environment), ...settings);
    await use({ site, server, direct });
    await site.stop();
    await shared.dispose();
    await direct.dispose();
  },
  flagdeck: async ({ installation }, use) => use(installation.site.flagdeck),
  // The page of the provider loads fonts of another site.
  page: async ({ context }, use) => use(await context.newPage()),
});

async function createToggle(request: APIRequestContext, { url, version, clientToken = '' }: RealServer) {
  const flags = hasEnvironments(version)
    ? new EnvironmentFlags(request, `${url}/`, clientToken)
    : new Flags(request, `${url}/`);
  await flags.create({ name: NAME, enabled: false });
}

function required(server: RealServer | undefined): RealServer {
  if (!server) throw new Error('These tests need a real server');
  return server;
}

/** Returns the settings for one account, with a personal access token of the flag service, or else with a session there. */
async function sharedSettings(request: APIRequestContext, server: RealServer, testInfo: TestInfo) {
  await signInDirectly(request, server, SHARED_EMAIL);
  const cookies = await request.storageState();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const data = { description: 'tests', expiresAt };
  const created = await request.post(`${server.url}/api/admin/user/tokens`, { data });
  const header = created.ok() ? 'Authorization' : 'Cookie';
  const credential = testInfo.outputPath('credential');
  const session = cookies.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await writeFile(credential, created.ok() ? (await created.json()).secret : session);
  const journal = ['--journal', testInfo.outputPath('journal')];
  return ['--upstream-sign-in', 'shared', '--upstream-header', `${header}=@${credential}`, ...journal, ...GRANTS];
}

/** Signs in at the flag service itself. */
async function signInDirectly(request: APIRequestContext, { url, version }: RealServer, email: string): Promise<void> {
  const path = hasEnvironments(version) ? 'auth/demo/login' : 'api/admin/login';
  const response = await request.post(`${url}/${path}`, { data: { email } });
  expect(response.status(), 'signing in at the real server').toBe(200);
}

function signInLink(page: Page) {
  return page
    .getByRole('dialog', { name: 'Action Required' })
    .getByRole('link', { name: 'Sign in with single sign-on' });
}

/** Signs a person in at the provider. */
async function signIn(page: Page, name: string): Promise<void> {
  await signInLink(page).click();
  await signInAtProvider(page, name);
  // Four servers take part, and the first page waits until this one has signed the person in and detected the flag service.
  await expect(page.getByRole('button', { name: `${name} Example` })).toBeVisible({ timeout: 20_000 * SLOWDOWN });
}

/** Signs a person in, who switches the toggle `NAME` on. */
async function switchAs(page: Page, { site }: Installation, person: string): Promise<void> {
  const toggle = new Ui(page).switchOf(NAME);
  await page.goto(`${site.flagdeck.url}features`);
  await signIn(page, person);
  await toggle.click();
  await expect(toggle).toBeChecked();
}

/** A person switches the toggle `NAME`. The flag service records the person. */
export async function expectPersonInHistory(page: Page, installation: Installation): Promise<void> {
  const { site, server, direct } = installation;
  const { flagdeck, provider } = site;
  const ui = new Ui(page);
  await switchAs(page, installation, 'anna');

  const events = await direct.get(`${server.url}/api/admin/events/${NAME}`);
  const history: { events: { createdBy: string }[] } = await events.json();
  expect(history.events.map(({ createdBy }) => createdBy).slice(0, 2)).toEqual([
    'anna@example.com',
    'setup@example.com',
  ]);
  // The browser has no session of the flag service.
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name).filter((name) => name.startsWith('unleash'))).toEqual([]);

  // The grants do not allow a new toggle, in the console and over HTTP.
  await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
  const created = await page.request.post(`${flagdeck.url}api/admin/features`, { data: { name: 'another' } });
  expect(created.status()).toBe(403);
  expect(await created.json()).toMatchObject({ permission: 'CREATE_FEATURE', groups: ['admins'] });

  // After a restart the session continues. A sign-out ends it, and a changed group takes effect with the next one.
  await flagdeck.restart();
  await page.reload();
  await ui.switchOf(NAME).click();
  await expect(ui.switchOf(NAME)).not.toBeChecked();
  await page.goto(`${flagdeck.url}logout`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(signInLink(page)).toBeVisible();
  await setGroups(provider, 'staff admins');
  await signIn(page, 'bert');
  await expect(page.getByRole('link', { name: 'New toggle' }).first()).toBeVisible();
}

/** An administrator, who is signed in, revokes the session of another person. */
export async function expectRevocation(page: Page, { site }: Installation): Promise<void> {
  const { flagdeck, provider } = site;
  await setGroups(provider, 'staff');
  const context = await page.context().browser()?.newContext();
  const other = await context?.newPage();
  if (!context || !other) throw new Error('The browser has ended');
  await other.goto(`${flagdeck.url}features`);
  await signIn(other, 'carl');
  await expect(new Ui(other).switchOf(NAME)).toBeVisible();

  await expect(page.getByRole('button', { name: 'bert Example' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click();
  const row = page.getByRole('main').getByRole('row').filter({ hasText: 'carl Example' });
  await expect(row).toContainText('carl@example.com');
  await expect(row).toContainText('Single sign-on');
  await row.getByRole('button', { name: 'Actions for the session of carl Example' }).click();
  await page.getByRole('menuitem', { name: 'Revoke session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke session' });
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  // The row has no role while the dialog is open.
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);

  const refused = await context.request.get(`${flagdeck.url}api/admin/features`);
  expect(refused.status()).toBe(401);
  await other.reload();
  await expect(other.getByRole('dialog', { name: 'Action Required' })).toContainText(
    'An administrator has ended your session.',
  );
  await context.close();
}

/** A person switches the toggle `NAME` with the account of all. The flag service records the account, and the journal the person. */
export async function expectPersonInJournal(page: Page, installation: Installation): Promise<void> {
  const { flagdeck, provider } = installation.site;
  await setGroups(provider, 'staff admins');
  await switchAs(page, installation, 'anna');

  await page.goto(`${flagdeck.url}history/${NAME}`);
  const events = entries(new Ui(page));
  await expect(events.first()).toContainText(SHARED_EMAIL);
  // Made at the flag service itself.
  await expect(events.last()).toContainText('setup@example.com');
  await page.goto(`${flagdeck.url}journal`);
  const change = page.getByRole('main').getByRole('row').filter({ hasText: NAME });
  await expect(change.first()).toContainText('anna');
}
