// Selection of the environment of a newer server: in the URL, in every request, remembered by the browser. What pages show of
// such a server: src/testing/serverVersions.test.tsx.

import { expect } from './support/fixtures';
import { respondByEnvironment, STUB_HEADER, newerTest as test } from './support/newerServer';

const BASKET = { name: 'shop.basket', on: { production: [] }, off: { development: [] } };

test.describe('environments of a newer server', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => respondByEnvironment(stub, [BASKET]));

  test('the first visit asks for an environment and preselects none', async ({ page, ui, stub }) => {
    await page.goto('features');
    const dialog = page.getByRole('dialog', { name: 'Choose an environment' });
    await expect(dialog.getByRole('listitem')).toHaveText(['development', 'production']);
    await expect(ui.row('shop.basket')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'production' }).click();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(page).toHaveURL(/\/features\?environment=production$/);
    await expect(ui.environmentPicker).toHaveText('production');
    const last = stub.called('GET /api/admin/features').at(-1);
    expect(last?.headers[STUB_HEADER]).toBe('production');
  });

  test('every link and navigation keeps the environment', async ({ page, ui }) => {
    await page.goto('features?environment=development');
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    for (const link of await page.locator('a[href^="/"]').all())
      await expect(link).toHaveAttribute('href', /[?&]environment=development(#|$)/);
    await ui.row('shop.basket').getByRole('link', { name: 'shop.basket', exact: true }).click();
    await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket\?environment=development$/);
    await page.goBack();
    await ui.search.fill('basket');
    await expect(page).toHaveURL(/\?environment=development&filter=basket$/);
  });

  test('two tabs show different environments', async ({ page, ui, context, stub }) => {
    await page.goto('features?environment=production');
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    const other = await context.newPage();
    await other.goto(new URL('features?environment=development', page.url()).href);
    await expect(other.getByRole('switch', { name: 'shop.basket' })).not.toBeChecked();
    stub.respond('POST /api/admin/features/shop.basket/toggle/off', { status: 200 });
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toHaveText(/shop\.basket switched off in production\./);
    const [call] = stub.called('POST /api/admin/features/shop.basket/toggle/off');
    expect(call?.headers[STUB_HEADER]).toBe('production');
    await other.close();
  });

  test('the picker changes the environment of the page', async ({ page, ui }) => {
    await page.goto('features?filter=basket&environment=production');
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await ui.environmentPicker.click();
    const items = page.getByRole('menuitemradio');
    await expect(items).toHaveText(['development', 'production']);
    await items.filter({ hasText: 'development' }).click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    await expect(page).toHaveURL(/\/features\?filter=basket&environment=development$/);
    await page.goBack();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.environmentPicker).toHaveText('production');
  });

  test('unsaved edits are kept unless the user discards them', async ({ page, ui }) => {
    await page.goto('features/create?environment=production');
    await ui.nameField.fill('shop.new');
    await ui.environmentPicker.click();
    await page.getByRole('menuitemradio', { name: 'development' }).click();
    await ui.dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(ui.nameField).toHaveValue('shop.new');
    await expect(page).toHaveURL(/\?environment=production$/);
    await ui.environmentPicker.click();
    await page.getByRole('menuitemradio', { name: 'development' }).click();
    await ui.dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL(/\?environment=development$/);
    await expect(ui.nameField).toHaveValue('');
  });

  test('the page of a toggle shows its state in each of them', async ({ page, ui, stub }) => {
    respondByEnvironment(stub, [{ name: 'shop.basket', off: { production: [{ name: 'default' }], development: [] } }]);
    await page.goto('features/strategies/shop.basket?environment=production');
    const states = page.getByTestId('toggle-environments');
    await expect(states).toHaveText('development: off · production (here): off, 1 strategy');
    await states.getByRole('link', { name: 'development' }).click();
    await expect(page).toHaveURL(/shop\.basket\?environment=development$/);
    await expect(ui.main.getByText('No strategies in development')).toBeVisible();
  });
});
