// Signing in with a password, and signing out. All methods and refusals: src/testing/signInMethods.test.tsx.

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
    await expect(page.getByRole('button', { name: 'operator@example.com', includeHidden: true })).toBeAttached();
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
