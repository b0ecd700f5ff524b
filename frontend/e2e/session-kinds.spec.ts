// The ways to sign in that the real server of these tests does not offer.

import { expect, stubTest as test } from './support/fixtures';

const PASSWORD_SERVER = { type: 'password', path: '/auth/simple/login', message: 'You must sign in' };

test.describe('a server that asks for a password', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.signIn = PASSWORD_SERVER;
  });

  test('gets both, and the console opens [S2-107] [S7-022] [S7-023] [S7-002] [S4-019]', async ({ page, ui, stub }) => {
    stub.answer('POST /auth/simple/login', () => {
      stub.signedIn = true;
      return { body: { email: 'operator@example.com' }, headers: { 'set-cookie': 'unleash-session=1; Path=/' } };
    });
    await page.goto('archive');
    await expect(ui.signInDialog).toContainText('You must sign in');
    await ui.signInByPassword('operator', 'right');
    await expect(ui.signInDialog).toBeHidden();
    await expect(page).toHaveURL(/\/features$/);
    await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
    expect(stub.called('POST /auth/simple/login')).toMatchObject([
      { body: { username: 'operator', password: 'right' }, headers: { 'content-type': 'application/json' } },
    ]);
  });

  test('is not asked while a field is empty [S5-036]', async ({ page, ui, stub }) => {
    await page.goto('features');
    await ui.signInDialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(ui.signInDialog.getByLabel('Username')).toHaveAccessibleDescription('This is a required field');
    await expect(ui.signInDialog.getByLabel('Password')).toHaveAccessibleDescription('This is a required field');
    await ui.signInDialog.getByLabel('Username').fill('operator');
    await ui.signInDialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(ui.signInDialog.getByLabel('Password')).toHaveAccessibleDescription('This is a required field');
    expect(stub.called('POST /auth/simple/login')).toEqual([]);
  });

  const refusals = [
    { status: 404, text: 'User not found', cleared: true, proves: '[S8-028]' },
    { status: 400, text: 'Wrong password', cleared: true, proves: '[S8-029]' },
    { status: 401, text: 'Wrong password', cleared: true, proves: '[S8-029]' },
    { status: 500, text: 'Could not sign in at the moment.', cleared: false, proves: '[S8-030]' },
  ];
  for (const { status, text, cleared, proves } of refusals) {
    test(`that refuses with ${status} makes the dialog say '${text}' ${proves}`, async ({ page, ui, stub }) => {
      stub.answer('POST /auth/simple/login', { status });
      await page.goto('features');
      await ui.signInByPassword('operator', 'guess');
      await expect(ui.signInDialog).toContainText(text);
      await expect(ui.signInDialog.getByLabel('Password')).toHaveValue(cleared ? '' : 'guess');
      await expect(ui.signInDialog.getByLabel('Username')).toHaveValue('operator');
    });
  }
});

test.describe('a server that signs in elsewhere', { tag: '@stub' }, () => {
  for (const type of ['custom', undefined]) {
    test(`of type ${type} gets a link and its message [S2-107] [S3-034]`, async ({ page, ui, stub }) => {
      stub.signIn = { type, path: '/auth/google/login', message: 'Sign in with your company' };
      await page.goto('features');
      await expect(ui.signInDialog).toContainText('Sign in with your company');
      await expect(ui.signInDialog.getByRole('textbox')).toHaveCount(0);
      await expect(ui.signInDialog.getByRole('link')).toHaveAttribute('href', /\/auth\/google\/login$/);
    });
  }

  test('cannot make the link run a script [S3-034]', async ({ page, ui, stub }) => {
    stub.signIn = { type: 'custom', path: 'javascript:alert(1)', message: 'Sign in with your company' };
    await page.goto('features');
    await expect(ui.signInDialog).toContainText('Sign in with your company');
    await expect(page.locator('[href^="javascript" i]')).toHaveCount(0);
  });

  test('offers its providers first and the password behind them [S2-108] [S2-109]', async ({ page, ui, stub }) => {
    const options = [
      { type: 'google', path: '/auth/google/login', value: 'Sign in with Google' },
      { type: 'saml', path: '/auth/saml/login', value: 'Sign in with the company' },
    ];
    stub.signIn = { ...PASSWORD_SERVER, options };
    await page.goto('features');
    const google = ui.signInDialog.getByRole('link', { name: 'Sign in with Google' });
    await expect(google).toHaveAttribute('href', /\/auth\/google\/login$/);
    await expect(ui.signInDialog.getByRole('link', { name: 'Sign in with the company' })).toBeVisible();
    await expect(ui.signInDialog.getByLabel('Password')).toBeHidden();
    await ui.signInDialog.getByRole('button', { name: 'Show more options' }).click();
    await expect(ui.signInDialog.getByLabel('Password')).toBeVisible();
  });
});

test('signing out follows the server to where it ends the session elsewhere [S2-028] [S7-021]', {
  tag: '@stub',
}, async ({ page, stub, flagdeck }) => {
  // Another port of this machine stands for the foreign origin, so that the browser stays on loopback.
  const elsewhere = `${flagdeck.url.replace('127.0.0.1', 'localhost')}-/health`;
  stub.answer('GET /logout', { status: 302, headers: { location: elsewhere } });
  await page.goto('logout');
  await expect(page).toHaveURL(elsewhere);
});
