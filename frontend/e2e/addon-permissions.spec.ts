// Controls and API access of users with one permission for addons. Other entities: src/testing/formPermissions.test.tsx.

import { expect, test } from './support/fixtures';
import { Flags } from './support/flags';
import { signInWith } from './support/users';

test.describe('a user', { tag: ['@embedded', '@ci'] }, () => {
  test.use({ auth: 'password', durable: true });

  test('with one addon permission can do only what it allows [S6-015]', async ({
    page,
    ui,
    context,
    flagdeck,
    playwright,
  }) => {
    const hook = {
      provider: 'webhook',
      enabled: true,
      description: '',
      parameters: { url: 'http://127.0.0.1:9/hook' },
      events: ['feature-created'],
    };
    const admin = await playwright.request.newContext();
    await signInWith(admin, flagdeck, 'ADMIN');
    await new Flags(admin, flagdeck.url).post('admin/addons', hook);
    await admin.dispose();
    const api = `${flagdeck.url}api/admin/addons`;
    const disable = ui.main.getByRole('button', { name: 'Disable Webhook 1' });
    const remove = ui.main.getByRole('button', { name: 'Remove Webhook 1' });

    await signInWith(context.request, flagdeck, 'CREATE_ADDON');
    await page.goto('addons');
    await expect(ui.main.getByRole('link', { name: 'Configure Slack' })).toBeVisible();
    await expect(disable).toBeDisabled();
    await expect(remove).toBeDisabled();
    expect((await context.request.put(`${api}/1`, { data: hook })).status()).toBe(403);
    expect((await context.request.delete(`${api}/1`)).status()).toBe(403);
    await page.goto('addons/edit/1');
    await expect(ui.main.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription(/UPDATE_ADDON/);
    await page.goto('addons/create/webhook');
    await page.getByLabel('Webhook URL').fill('http://127.0.0.1:9/other');
    await ui.main.getByRole('checkbox', { name: 'Toggle created' }).check();
    await ui.main.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main.getByRole('button', { name: 'Disable Webhook 2' })).toBeVisible();

    await signInWith(context.request, flagdeck, 'UPDATE_ADDON');
    await page.goto('addons');
    await expect(ui.main.getByRole('button', { name: 'Configure Slack' })).toBeDisabled();
    await expect(remove).toBeDisabled();
    expect((await context.request.post(api, { data: hook })).status()).toBe(403);
    expect((await context.request.delete(`${api}/2`)).status()).toBe(403);
    await disable.click();
    await expect(ui.main.getByRole('button', { name: 'Enable Webhook 1' })).toBeVisible();
    await page.goto('addons/create/webhook');
    await expect(ui.main.getByText(/CREATE_ADDON/)).toBeVisible();
    await expect(ui.main.getByLabel('Webhook URL')).toHaveCount(0);

    await signInWith(context.request, flagdeck, 'DELETE_ADDON');
    await page.goto('addons');
    await expect(ui.main.getByRole('button', { name: 'Enable Webhook 1' })).toBeDisabled();
    expect((await context.request.post(api, { data: hook })).status()).toBe(403);
    expect((await context.request.put(`${api}/1`, { data: hook })).status()).toBe(403);
    await remove.click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(remove).toHaveCount(0);
  });
});
