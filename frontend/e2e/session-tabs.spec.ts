// Tabs of one browser share the session. All cases of one tab: src/features/session/signIn.test.tsx.

import { EMAIL, expect, test } from './support/fixtures';
import { Ui } from './support/ui';

test.describe('two tabs', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('sign out together, and show the user who signs in next [S4-021]', async ({
    page,
    context,
    ui,
    flags,
    flagdeck,
  }) => {
    await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    await flags.create({ name: 'secret.plan' });
    await page.goto('features');
    const other = new Ui(await context.newPage());
    await other.page.goto(page.url());
    await expect(ui.row('secret.plan')).toBeVisible();
    await expect(other.row('secret.plan')).toBeVisible();

    await ui.menu.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(other.signInDialog).toBeVisible();
    await expect(other.page.getByText('secret.plan')).toHaveCount(0);

    await page.getByRole('link', { name: 'Sign in again' }).click();
    await ui.signInByEmail('ada@example.com');
    await expect(ui.row('secret.plan')).toBeVisible();
    await expect(other.signInDialog).toBeHidden();
    await expect(other.page.getByRole('button', { name: 'ada@example.com' })).toBeVisible();
    await expect(other.row('secret.plan')).toBeVisible();
    await other.page.close();
  });
});
