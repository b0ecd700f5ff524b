// Controls and API access of users with one permission: applications.

import { afterRead } from './support/afterRead';
import { reportApplication } from './support/applications';
import { expect, test } from './support/fixtures';
import { signInWith } from './support/users';

test.describe('a user', { tag: ['@embedded', '@ci'] }, () => {
  test.use({ auth: 'password', durable: true });

  test.beforeEach(async ({ context, flagdeck, flags }) => {
    await signInWith(context.request, flagdeck, 'ADMIN');
    await reportApplication(flags, 'shop-web', { strategies: ['byRegion'], toggles: ['shop.new'] });
  });

  test('with UPDATE_APPLICATION can edit and delete, but is not offered to create missing toggles [S6-010] [S6-004]', async ({
    page,
    ui,
    context,
    flagdeck,
  }) => {
    await signInWith(context.request, flagdeck, 'UPDATE_APPLICATION');
    await afterRead(page, 'api/admin/user', () => page.goto('applications/shop-web'));
    await expect(ui.main).toContainText('shop.new');
    await expect(ui.main).toContainText('Missing');
    await expect(ui.main.getByRole('link', { name: /create/i })).toHaveCount(0);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('The shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(ui.main).toContainText('The shop');
    await afterRead(page, 'api/admin/user', () => page.goto('missing-toggles'));
    await expect(ui.row('shop.new')).toBeVisible();
    await expect(ui.main.getByRole('link', { name: /create/i })).toHaveCount(0);
    await page.goto('applications/shop-web');
    await page.getByRole('button', { name: 'Delete' }).click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page).toHaveURL(/\/applications$/);
    await expect(ui.main).toContainText('No applications');
  });

  for (const [permission, offered, other] of [
    ['CREATE_FEATURE', 'shop.new', 'byRegion'],
    ['CREATE_STRATEGY', 'byRegion', 'shop.new'],
  ] as const) {
    test(`with ${permission} is offered to create ${offered} but not to edit the application [S6-004] [S6-007] [S6-010]`, async ({
      page,
      ui,
      context,
      flagdeck,
    }) => {
      await signInWith(context.request, flagdeck, permission);
      for (const address of ['applications/shop-web', 'applications/shop-web?tab=edit']) {
        await page.goto(address);
        await expect(ui.main.getByRole('link', { name: `Missing, want to create? ${offered}` })).toBeVisible();
        await expect(ui.main.getByRole('link', { name: `Missing, want to create? ${other}` })).toHaveCount(0);
        await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0);
        await expect(page.getByLabel('Description')).toHaveCount(0);
      }
      const remove = page.getByRole('button', { name: 'Delete' });
      await expect(remove).toBeDisabled();
      await expect(remove).toHaveAccessibleDescription('You need the permission UPDATE_APPLICATION for this.');
      await page.goto('missing-toggles');
      await expect(ui.main.getByRole('link', { name: `Create ${offered}` })).toBeVisible();
      await expect(ui.main.getByRole('link', { name: `Create ${other}` })).toHaveCount(0);
      const address = `${flagdeck.url}api/admin/metrics/applications/shop-web`;
      expect((await context.request.post(address, { data: { icon: 'web' } })).status()).toBe(403);
      expect((await context.request.delete(address)).status()).toBe(403);
    });
  }
});
