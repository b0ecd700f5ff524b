// What users may do decides what they are offered.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test.describe('a user', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    stub.answer('GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
  });

  test('without any permission looks and touches nothing [S2-038] [S6-002] [S6-004] [S6-005] [S6-006]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.answer('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await page.goto('features/strategies/shop.basket');
    await expect(page.getByRole('heading', { name: 'shop.basket' })).toBeVisible();
    await expect(ui.main.getByRole('switch')).toBeDisabled();
    await page.goto('features/strategies/no.such.toggle');
    await expect(ui.main).toContainText('Could not find the toggle');
    await expect(ui.main.getByRole('link', { name: /create/i })).toHaveCount(0);
    await page.goto('archive');
    await expect(ui.row('shop.gone').getByRole('button', { name: /Revive/ })).toBeDisabled();
    await page.goto('features/create#name=shop.new');
    const reason = 'You need the permission CREATE_FEATURE for this.';
    await expect(page.getByRole('button', { name: 'Create' })).toHaveAccessibleDescription(reason);
    await ui.nameField.press('Enter');
    expect(stub.called('POST /api/admin/features')).toEqual([]);
  });

  for (const [who, user] of [
    ['with ADMIN', { email: 'a@example.com', permissions: ['ADMIN'] }],
    ['without a list of permissions', { email: 'a@example.com' }],
    ['of a 4.x server with ADMIN', { user: { username: 'a' }, permissions: [{ permission: 'ADMIN' }] }],
  ] as const) {
    test(`${who} may do everything [S6-002] [S6-003] [S3-032]`, async ({ page, ui, stub }) => {
      stub.answer('GET /api/admin/user', { body: user });
      await page.goto('features');
      await expect(page.getByRole('link', { name: 'New toggle' })).toBeVisible();
      await expect(ui.switchOf('shop.basket')).toBeEnabled();
      await page.goto('archive');
      await expect(ui.row('shop.gone').getByRole('button', { name: /Revive/ })).toBeEnabled();
    });
  }

  test('with one permission may do that one thing [S6-002] [S6-004] [S6-005]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/user', { body: { email: 'a@example.com', permissions: ['CREATE_FEATURE'] } });
    await page.goto('features');
    await expect(page.getByRole('link', { name: 'New toggle' })).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await page.goto('features/strategies/no.such.toggle');
    await ui.main.getByRole('link', { name: /create/i }).click();
    await expect(ui.nameField).toHaveValue('no.such.toggle');
  });
});
