// Signing in and out with the real server and the embedded service. Other methods: sign-in-methods.spec.ts. Data of another user:
// ../src/features/session/userData.test.tsx.

import type { Binary } from './support/binary';
import { EMAIL, expect, test } from './support/fixtures';

const PASSWORD = 'correct horse';
/** Email address or, on servers with passwords, user name of the second user. */
const COLLEAGUE = /^(somebody\.else@example\.com|colleague)$/;

function addUser(flagdeck: Binary, name: string, ...flags: string[]): Promise<void> {
  return flagdeck.command(['user', 'add', name, ...flags], `${PASSWORD}\n`);
}

test.describe('a server with email sign-in', { tag: ['@upstream', '@email-sign-in'] }, () => {
  test.use({ signedIn: false });

  test('shows the message of the server, then loads everything and stays at the deep link [S2-110] [S4-020] [S4-019] [S8-001] [S6-018]', async ({
    page,
    ui,
    playwright,
    flagdeck,
  }) => {
    const other = await playwright.request.newContext();
    await other.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    const strategies = [{ name: 'default', parameters: {} }];
    await other.post(`${flagdeck.url}api/admin/features`, { data: { name: 'checkout.gift-cards', strategies } });
    await other.dispose();

    await page.goto('features/view/checkout.gift-cards?from=chat');
    await expect(ui.signInDialog).toContainText(/You have to in?dentify yourself in order to use Unleash\./);
    await ui.signInByEmail(EMAIL);
    await expect(page.getByRole('button', { name: EMAIL })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'checkout.gift-cards' })).toBeVisible();
    await expect(page).toHaveURL(/\/features\/view\/checkout\.gift-cards\?from=chat$/);
  });

  test('requires an email address, then opens the list if no other page was requested [S4-019] [S5-037] [S2-107] [S7-024]', async ({
    page,
    ui,
  }) => {
    await page.goto('');
    await ui.signInDialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(ui.signInDialog.getByLabel('Email')).toHaveAccessibleDescription(/^This is a required field/);
    await ui.signInDialog.getByLabel('Email').fill('not an address');
    await ui.signInDialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(ui.signInDialog).toContainText('Could not sign in at the moment.');
    await ui.signInByEmail(EMAIL);
    await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
    await expect(page).toHaveURL(/\/features$/);
  });
});

test.describe('a signed-in operator', { tag: '@upstream' }, () => {
  test('signs out, and no loaded data remains [S2-028]', async ({ page, ui, flags, signIn }) => {
    await flags.create({ name: 'secret.plan' });
    await page.goto('features');
    await expect(ui.row('secret.plan')).toBeVisible();
    await ui.menu.getByRole('link', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/logout$/);
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(page.getByText('secret.plan')).toHaveCount(0);

    await page.getByRole('link', { name: 'Sign in again' }).click();
    await expect(ui.signInDialog).toBeVisible();
    await expect(page.getByText('secret.plan')).toHaveCount(0);
    await signIn('somebody.else@example.com');
    await expect(page.getByRole('button', { name: COLLEAGUE })).toBeVisible();
    await expect(ui.row('secret.plan')).toBeVisible();
  });

  test('whose session ends while filling in a form signs in again, and the input is stored [S4-020] [S6-016] [S8-002]', async ({
    page,
    context,
    ui,
    flags,
    signIn,
  }) => {
    await page.goto('features/create');
    await ui.nameField.fill('long.work');
    // Leaving the field validates the name. The response must arrive before the session ends.
    const checked = page.waitForResponse(/\/features\/validate$/);
    await page.getByLabel('Description').fill('Typed before the session ended');
    await checked;
    await ui.activation.addStrategy('default');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(ui.signInDialog).toContainText('Authentication required');
    await signIn(EMAIL);
    await expect(page).toHaveURL(/\/features\/strategies\/long\.work$/);
    expect(await flags.find('long.work')).toMatchObject({ description: 'Typed before the session ended' });
  });
});

test.describe('the embedded service with passwords', { tag: '@embedded' }, () => {
  test.use({ auth: 'password', durable: true });

  test('explains how to add the first user, who can sign in and out, and does not tell which users exist [S2-107] [S2-110] [S7-023] [S8-029] [S4-019] [S2-028]', async ({
    page,
    ui,
    flagdeck,
  }) => {
    await page.goto('features');
    await expect(ui.signInDialog).toContainText('flagdeck user add');
    await addUser(flagdeck, 'anna', '--admin', '--email', EMAIL);
    for (const name of ['anna', 'nobody']) {
      await ui.signInByPassword(name, 'wrong horse');
      await expect(ui.signInDialog).toContainText('Wrong password');
      await expect(ui.signInDialog.getByLabel('Password')).toHaveValue('');
    }
    await ui.signInByPassword('anna', PASSWORD);
    await expect(ui.signInDialog).toBeHidden();
    await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
    await expect(page.getByRole('button', { name: EMAIL })).toBeVisible();

    await ui.menu.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await expect(ui.signInDialog).toBeVisible();
    await expect(ui.signInDialog).not.toContainText('flagdeck user add');
  });

  test('disables controls with a reason until the permission is granted [S6-002] [S6-005] [S2-038]', async ({
    page,
    ui,
    flags,
    flagdeck,
    context,
  }) => {
    await addUser(flagdeck, 'anna', '--admin');
    await addUser(flagdeck, 'bert');
    const credentials = { username: 'anna', password: PASSWORD };
    await context.request.post(`${flagdeck.url}auth/simple/login`, { data: credentials });
    await flags.create({ name: 'shop.basket' });
    await context.clearCookies();

    await page.goto('features');
    await ui.signInByPassword('bert', PASSWORD);
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await expect(ui.switchOf('shop.basket')).toHaveAccessibleDescription(/UPDATE_FEATURE/);
    await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);

    await flagdeck.command(['user', 'grant', 'bert', 'UPDATE_FEATURE']);
    await page.reload();
    await ui.switchOf('shop.basket').click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    await flagdeck.command(['user', 'remove', 'bert']);
    await page.reload();
    await expect(ui.signInDialog).toBeVisible();
  });
});

test.describe('the embedded service with email addresses', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('accepts any address and records it as the author of changes [S2-107] [S5-037] [S7-024] [S2-028]', async ({
    page,
    ui,
    flags,
  }) => {
    await page.goto('features');
    await ui.signInByEmail(EMAIL);
    await flags.create({ name: 'shop.basket' });
    await page.goto('features/history/shop.basket');
    await expect(ui.main.getByText(EMAIL).first()).toBeVisible();
    await ui.menu.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await expect(ui.signInDialog).toBeVisible();
  });
});

test.describe('a link on another site', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('asks for confirmation instead of signing out [S2-028]', async ({ page, context, ui, flagdeck }) => {
    await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    await page.goto(`data:text/html,<a href="${flagdeck.url}logout">Sign out</a>`);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible();
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await expect(page.getByRole('button', { name: EMAIL })).toBeVisible();

    await page.goto(`data:text/html,<a href="${flagdeck.url}logout">Sign out</a>`);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await expect(ui.signInDialog).toBeVisible();
  });
});
