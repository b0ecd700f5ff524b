// Sign-in at a provider in front of a real flag service: with its sign-in by email address (`upstream-sign-in = demo`), or with
// one account for all persons (`shared`).

import { writeFile } from 'node:fs/promises';
import { type APIRequestContext, expect, type Page, type TestInfo } from '@playwright/test';
import { entries } from './events';
import { type Site, setGroups, signInAtProvider } from './provider';
import { SLOWDOWN } from './slowdown';
import { Ui } from './ui';

export const NAME = 'shop.basket';
/** A second toggle, for another person. */
export const OTHER_NAME = 'shop.search';
const GRANTS = ['--oidc-allow', 'staff', '--oidc-grant', 'staff=UPDATE_FEATURE', '--oidc-grant', 'admins=ADMIN'];
export const SETTINGS = ['--upstream-sign-in', 'demo', ...GRANTS];
const SHARED_EMAIL = 'shared@example.com';

/** Returns the settings for one account, with a personal access token of the flag service, or else with a session there. */
export async function sharedSettings(request: APIRequestContext, signIn: string, testInfo: TestInfo) {
  const { origin } = new URL(signIn);
  const signedIn = await request.post(signIn, { data: { email: SHARED_EMAIL } });
  expect(signedIn.status(), 'signing in at the real server').toBe(200);
  const cookies = await request.storageState();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const created = await request.post(`${origin}/api/admin/user/tokens`, { data: { description: 'tests', expiresAt } });
  const header = created.ok() ? 'Authorization' : 'Cookie';
  const credential = testInfo.outputPath('credential');
  const session = cookies.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await writeFile(credential, created.ok() ? (await created.json()).secret : session);
  const journal = ['--journal', testInfo.outputPath('journal')];
  return ['--upstream-sign-in', 'shared', '--upstream-header', `${header}=@${credential}`, ...journal, ...GRANTS];
}

/** Signs in at the flag service itself, under another name than the person of the test. */
export async function signInDirectly(request: APIRequestContext, url: string): Promise<void> {
  const response = await request.post(url, { data: { email: 'setup@example.com' } });
  expect(response.status(), 'signing in at the real server').toBe(200);
}

function signInLink(page: Page) {
  return page.getByRole('dialog', { name: 'Action Required' }).getByRole('link', { name: 'Sign in with Example' });
}

/** Signs a person in at the provider. */
async function signIn(page: Page, name: string): Promise<void> {
  await signInLink(page).click();
  await signInAtProvider(page, name);
  // Four servers take part, and the first page waits until this one has signed the person in and detected the flag service.
  await expect(page.getByRole('button', { name: `${name} Example` })).toBeVisible({ timeout: 20_000 * SLOWDOWN });
}

async function switchOn(page: Page, name: string): Promise<void> {
  const toggle = new Ui(page).switchOf(name);
  await toggle.click();
  await expect(toggle).toBeChecked();
}

/** A person switches the toggle `NAME`, which is off. The flag service at `url` records the person. */
export async function expectPersonInHistory(page: Page, site: Site, request: APIRequestContext, url: string) {
  const { flagdeck, provider } = site;
  const ui = new Ui(page);
  await page.goto(`${flagdeck.url}features`);
  await signIn(page, 'anna');

  await switchOn(page, NAME);
  const events = await request.get(`${url}/api/admin/events/${NAME}`);
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
export async function expectRevocation(page: Page, site: Site): Promise<void> {
  const { flagdeck, provider } = site;
  await setGroups(provider, 'staff');
  const context = await page.context().browser()?.newContext();
  const other = await context?.newPage();
  if (!context || !other) throw new Error('The browser has ended');
  await other.goto(`${flagdeck.url}features`);
  await signIn(other, 'carl');
  await expect(new Ui(other).switchOf(NAME)).toBeVisible();

  await page.getByRole('button', { name: 'bert Example' }).click();
  await page.getByRole('link', { name: 'Sessions of all users' }).click();
  const row = page.getByRole('main').getByRole('row').filter({ hasText: 'carl Example' });
  await expect(row).toContainText('carl@example.com');
  await expect(row).toContainText('Single sign-on');
  await row.getByRole('button', { name: 'Actions for the session of carl Example' }).click();
  await page.getByRole('menuitem', { name: 'Revoke session' }).click();
  await page.getByRole('dialog', { name: 'Revoke session' }).getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toHaveCount(0);

  const refused = await context.request.get(`${flagdeck.url}api/admin/features`);
  expect(refused.status()).toBe(401);
  await other.reload();
  await expect(other.getByRole('dialog', { name: 'Action Required' })).toContainText(
    'An administrator has ended your session.',
  );
  await context.close();
}

/** Two persons switch `NAME` and `OTHER_NAME`, which are off, with one account. The history of the console names them. */
export async function expectPersonsInConsole(page: Page, site: Site, request: APIRequestContext, url: string) {
  const { flagdeck } = site;
  const context = await page.context().browser()?.newContext();
  const other = await context?.newPage();
  if (!context || !other) throw new Error('The browser has ended');
  for (const [one, person] of [
    [page, 'anna'],
    [other, 'bert'],
  ] as const) {
    await one.goto(`${flagdeck.url}features`);
    await signIn(one, person);
  }
  await switchOn(page, NAME);
  await switchOn(other, OTHER_NAME);
  const stored = await request.get(`${url}/api/admin/events/${NAME}`);
  const history: { events: { createdBy: string }[] } = await stored.json();
  expect(history.events[0]?.createdBy).toBe(SHARED_EMAIL);

  for (const [name, author] of [
    [NAME, 'anna@example.com'],
    [OTHER_NAME, 'bert@example.com'],
  ]) {
    await other.goto(`${flagdeck.url}history/${name}`);
    const events = entries(new Ui(other));
    await expect(events.first()).toContainText(`${author}`);
    // Made at the flag service itself.
    await expect(events.last()).toContainText('setup@example.com');
  }
  await context.close();
}
