// The console in front of a server with environments.

import { expect, test } from './api';

const NAME = 'shop.basket';

test.describe('a toggle created without strategies', () => {
  test('is off for everyone if it is created off', async ({ page, ui, server }) => {
    await page.goto('features/create');
    await expect(ui.main).toContainText('Without a strategy, the toggle is on for everyone in development.');
    await page.getByRole('switch', { name: 'Enabled', exact: true }).uncheck();
    await expect(ui.main).toContainText('Without a strategy, the toggle is off for everyone in development.');
    await page.getByRole('switch', { name: 'Enabled', exact: true }).check();
    await expect(ui.main).toContainText('Goes live for everyone in development on create');
    await ui.nameField.fill(NAME);
    await page.getByRole('button', { name: 'Create off' }).click();
    await expect(ui.main.getByRole('heading', { name: 'No strategies in development' })).toBeVisible();
    expect(await server.state(NAME)).toMatchObject({ enabled: false, strategies: [] });
  });
});
