// Sign-in methods that the real server of these tests does not offer.

import { expect, stubTest as test } from './support/fixtures';

const PASSWORD_SERVER = { type: 'password', path: '/auth/simple/login', message: 'You must sign in' };

test.describe('a server with password sign-in', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.signIn = PASSWORD_SERVER;
  });

  test('receives user name and password, and the requested page opens [S2-107] [S7-022] [S7-023] [S7-002] [S4-019]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond('POST /auth/simple/login', () => {
      stub.signedIn = true;
      return { body: { email: 'operator@example.com' }, headers: { 'set-cookie': 'unleash-session=1; Path=/' } };
    });
    await page.goto('archive');
    await expect(ui.signInDialog).toContainText('You must sign in');
    await ui.signInByPassword('operator', 'right');
    await expect(ui.signInDialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'operator@example.com' })).toBeVisible();
    await expect(ui.main.getByRole('heading', { level: 1 })).toContainText('Archive');
    await expect(page).toHaveURL(/\/archive$/);
    expect(stub.called('POST /auth/simple/login')).toMatchObject([
      { body: { username: 'operator', password: 'right' }, headers: { 'content-type': 'application/json' } },
    ]);
  });

  test('receives the form at the path that it names [S7-022]', async ({ page, ui, stub }) => {
    stub.signIn = { ...PASSWORD_SERVER, path: '/auth/directory/login' };
    stub.respond('POST /auth/directory/login', () => {
      stub.signedIn = true;
      return { body: { email: 'operator@example.com' } };
    });
    await page.goto('features');
    await ui.signInByPassword('operator', 'right');
    await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
    expect(stub.called('POST /auth/directory/login')).toMatchObject([{ body: { username: 'operator' } }]);
  });

  test('has no sign-out link after the session has ended', async ({ page, ui, stub }) => {
    stub.signedIn = true;
    await page.goto('archive');
    await expect(ui.menu.getByRole('link', { name: 'Sign out' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'operator@example.com' })).toBeVisible();
    stub.signedIn = false;
    await ui.menu.getByRole('link', { name: 'Strategies' }).click();
    await expect(ui.signInDialog).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign out', includeHidden: true })).toHaveCount(0);
    // The name stays: the next person to sign in must see whose work is on the page.
    await expect(page.getByRole('img', { name: 'operator@example.com', includeHidden: true })).toBeAttached();
  });

  test('is not called while a field is empty [S5-036]', async ({ page, ui, stub }) => {
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
    test(`that refuses with ${status} shows '${text}' ${proves}`, async ({ page, ui, stub }) => {
      stub.respond('POST /auth/simple/login', { status });
      await page.goto('features');
      await ui.signInByPassword('operator', 'guess');
      await expect(ui.signInDialog).toContainText(text);
      await expect(ui.signInDialog.getByLabel('Password')).toHaveValue(cleared ? '' : 'guess');
      await expect(ui.signInDialog.getByLabel('Username')).toHaveValue('operator');
    });
  }
});

test('the email form is posted to the path that the server names [S7-022] [S7-024]', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
}) => {
  stub.signIn = { type: 'unsecure', path: '/api/admin/directory/login', message: 'Who are you?' };
  stub.respond('POST /api/admin/directory/login', () => {
    stub.signedIn = true;
    return { body: { email: 'operator@example.com' } };
  });
  await page.goto('features');
  await ui.signInByEmail('operator@example.com');
  await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
  expect(stub.called('POST /api/admin/directory/login')).toMatchObject([{ body: { email: 'operator@example.com' } }]);
});

test('a server of type demo asks for an email address, as Unleash 4.0 to 4.22 do [S2-107] [S7-024]', {
  tag: '@stub',
}, async ({ page, ui, stub }) => {
  stub.signIn = { type: 'demo', path: '/auth/demo/login', message: 'You have to identify yourself' };
  stub.respond('POST /auth/demo/login', () => {
    stub.signedIn = true;
    return { body: { email: 'operator@example.com' }, headers: { 'set-cookie': 'unleash-session=1; Path=/' } };
  });
  await page.goto('features');
  await expect(ui.signInDialog).toContainText('You have to identify yourself');
  await ui.signInByEmail('operator@example.com');
  await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
  expect(stub.called('POST /auth/demo/login')).toMatchObject([{ body: { email: 'operator@example.com' } }]);
});

test.describe('a server with external sign-in', { tag: '@stub' }, () => {
  for (const type of ['custom', undefined]) {
    test(`of type ${type} shows a link and its message [S2-107] [S3-034]`, async ({ page, ui, stub }) => {
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

  test('shows its providers first and the password behind them [S2-108] [S2-109]', async ({ page, ui, stub }) => {
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

test('signing out follows the redirect of the server to another origin [S2-028] [S7-021]', {
  tag: '@stub',
}, async ({ page, stub, flagdeck }) => {
  // Another port of this machine stands for the foreign origin, so that the browser stays on loopback.
  const elsewhere = `${flagdeck.url.replace('127.0.0.1', 'localhost')}-/health`;
  stub.respond('GET /logout', { status: 302, headers: { location: elsewhere } });
  await page.goto('logout');
  await expect(page).toHaveURL(elsewhere);
  expect(stub.called('POST /logout')).toHaveLength(1);
});

test('signing out fails if the server keeps the session, and can be retried [S2-028]', {
  tag: '@stub',
}, async ({ page, stub }) => {
  // As Unleash 5 and later respond to GET; a proxy in front may respond to POST in the same way.
  stub.respond('POST /logout', { status: 200, body: {} });
  await page.goto('logout');
  await expect(page.getByText('You could not be signed out')).toBeVisible();
  await expect(page.getByText(/did not end the session/)).toBeVisible();
  stub.respond('POST /logout', { status: 302, headers: { location: '/signed-out' } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
});
