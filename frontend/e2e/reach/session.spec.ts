// Signing in with a password through Flagdeck.

import { expect, requireServer, test } from './api';

/** An address of its own, because the server counts the attempts of each address. */
const ADDRESS = '198.51.100.7';
/** More than the server allows in a minute. */
const MAX_ATTEMPTS = 50;

test.use({
  signedIn: false,
  settings: ['--trusted-proxy', '127.0.0.0/8'],
  extraHTTPHeaders: { 'x-forwarded-for': ADDRESS },
});

test('a user signs in with a password after a wrong one, and too many attempts are explained', {
  tag: '@smoke',
}, async ({ page, ui, request, realServer }) => {
  const { accounts } = requireServer(realServer);
  const { user = '', password = '' } = accounts?.operator ?? {};
  await page.goto('features');
  await ui.signInByPassword(user, 'wrong');
  await expect(ui.signInDialog).toContainText('Wrong password');
  await ui.signInByPassword(user, password);
  await expect(ui.signInDialog).toBeHidden();
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('Feature toggles');

  const statuses = new Set<number>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !statuses.has(429); attempt += 1) {
    const data = { username: 'nobody@example.com', password: 'wrong' };
    statuses.add((await request.post('auth/simple/login', { data })).status());
  }
  expect(statuses).toContain(429);
  await page.context().clearCookies();
  await page.reload();
  await ui.signInByPassword(user, password);
  await expect(ui.signInDialog).toContainText('Too many sign-in attempts. Try again in a minute.');
  await expect(ui.signInDialog.getByLabel('Password')).toHaveValue(password);
});
