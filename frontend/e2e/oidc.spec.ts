// Sign-in by OpenID Connect at a real provider, below a base path. All refusals: src/tests/access/oidc.rs.

import { test as base, expect, type Page } from '@playwright/test';
import { axeViolations, unreachableElements } from './support/accessibility';
import { type Site, setGroups, signInAtProvider, startSite } from './support/provider';

const test = base.extend<{ site: Site }>({
  site: async ({ viewport: _viewport }, use, testInfo) => {
    const grants = ['--oidc-grant', 'admins=ADMIN', '--oidc-grant', 'shop=CREATE_FEATURE'];
    const site = await startSite(testInfo, '--oidc-allow', 'staff', ...grants);
    await use(site);
    await site.stop();
  },
});

test('signs in at a provider, renews the session silently, and signs out at both @embedded', async ({
  page,
  context,
  site,
}) => {
  // Several pages of two servers.
  test.slow();
  const { flagdeck, provider } = site;
  const dialog = page.getByRole('dialog', { name: 'Action Required' });
  const signIn = dialog.getByRole('link', { name: 'Sign in with single sign-on' });
  const userMenu = page.getByRole('button', { name: 'anna Example' });
  const urls: string[] = [];
  page.on('framenavigated', (frame) => urls.push(frame.url()));

  await page.goto(`${flagdeck.url}archive?search=x`);
  await signIn.click();
  await signInAtProvider(page, 'anna');
  await expect(userMenu).toBeVisible();
  await expect(page).toHaveURL(`${flagdeck.url}archive?search=x`);
  // Neither scripts nor the history of the console see codes, tokens or secrets.
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
    /code|token|secret/,
  );
  expect(urls.filter((url) => url.startsWith(flagdeck.url) && /[?&]code=/.test(url))).toEqual([]);

  await context.clearCookies({ name: 'flagdeck-session' });
  urls.length = 0;
  await page.reload();
  await expect(userMenu).toBeVisible();
  await expect(page).toHaveURL(`${flagdeck.url}archive?search=x`);
  expect(urls.some((url) => url.includes('/interaction/'))).toBe(false);

  await page.goto(`${flagdeck.url}logout`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(signIn).toBeVisible();
  await expect(page).toHaveURL(`${flagdeck.url}features`);
  await page.reload();
  await expect(signIn).toBeVisible();

  // A user without a permitted group is told the remedy.
  await setGroups(provider, 'others');
  await signIn.click();
  await signInAtProvider(page, 'anna');
  await expect(page.getByRole('heading', { name: 'You could not be signed in' })).toBeVisible();
  await expect(page.getByText('You are in none of the groups that may sign in here.')).toBeVisible();
  await setGroups(provider, 'staff');
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await expect(userMenu).toBeVisible();
});

test('users with a password sign in behind "Show more options" @embedded', async ({ page, site: { flagdeck } }) => {
  await flagdeck.command(['user', 'add', 'emergency', '--admin'], 'correct horse\n');
  await page.goto(flagdeck.url);
  const dialog = page.getByRole('dialog', { name: 'Action Required' });
  await expect(dialog.getByRole('link', { name: 'Sign in with single sign-on' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Show more options' }).click();
  await dialog.getByLabel('Username').fill('emergency');
  await dialog.getByLabel('Password').fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'emergency' })).toBeVisible();
});

test('names the groups of permissions, and revokes the session of another user @embedded', async ({
  page,
  browser,
  site,
}) => {
  // Several pages of two servers.
  test.slow();
  const { flagdeck, provider } = site;
  await setGroups(provider, 'staff shop');
  await page.goto(flagdeck.url);
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await signInAtProvider(page, 'anna');
  await page.getByRole('button', { name: 'anna Example' }).click();
  const menu = page.getByRole('group', { name: 'anna Example' });
  const sections = (one: Page) => one.getByRole('navigation', { name: 'Main' });
  await expect(menu).toContainText('CREATE_FEATURE by shop');
  await expect(sections(page).getByRole('link', { name: 'Users' })).toHaveCount(0);
  await page.goto(`${flagdeck.url}tags`);
  await expect(page.getByRole('button', { name: 'New tag' })).toHaveAccessibleDescription(
    'You need the permission CREATE_TAG for this. The group admins has it.',
  );

  await setGroups(provider, 'staff admins');
  const admin = await (await browser.newContext()).newPage();
  await admin.goto(flagdeck.url);
  await admin.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await signInAtProvider(admin, 'root');
  await admin.getByRole('button', { name: 'root Example' }).press('Enter');
  const userMenu = admin.getByRole('group', { name: 'root Example' });
  await expect(userMenu).toContainText('All by admins');
  await admin.keyboard.press('Escape');
  await sections(admin).getByRole('link', { name: 'Users' }).press('Enter');
  await admin.getByRole('main').getByRole('link', { name: 'Sessions' }).press('Enter');
  const rows = admin.getByRole('main').getByRole('row');
  await expect(rows.filter({ hasText: 'root Example' })).toContainText('This session');
  const row = rows.filter({ hasText: 'anna Example' });
  await expect(row).toContainText('Single sign-on');
  expect(await axeViolations(admin)).toEqual([]);
  for (const width of [768, 640, 1280]) {
    await admin.setViewportSize({ width, height: 800 });
    expect(await unreachableElements(admin), `at ${width} px`).toEqual([]);
  }
  await row.getByRole('button', { name: 'Actions for the session of anna Example' }).press('Enter');
  await admin.getByRole('menuitem', { name: 'Revoke session' }).press('Enter');
  const dialog = admin.getByRole('dialog', { name: 'Revoke session' });
  await dialog.getByRole('button', { name: 'Revoke' }).press('Enter');
  // The row has no role while the dialog is open.
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);

  // The provider would sign in silently: the console must ask.
  await page.reload();
  const signIn = page.getByRole('dialog', { name: 'Action Required' });
  await expect(signIn).toContainText('An administrator has ended your session.');
  await signIn.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await expect(page.getByRole('button', { name: 'anna Example' })).toBeVisible();

  await rows.filter({ hasText: 'This session' }).getByRole('button').press('Enter');
  await admin.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
  await admin.getByRole('dialog', { name: 'Sign out' }).getByRole('button', { name: 'Sign out' }).press('Enter');
  await admin.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(admin.getByRole('link', { name: 'Sign in with single sign-on' })).toBeVisible();
  await admin.context().close();
});
