// Chunks that fail to load, as after an update of the program: the page stays usable, and each failure is reported.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

/** Chunks that are not part of the first page. */
const LATER = /assets\/(?!index|vendor|rolldown)[^/]+\.js$/;

async function blockFiles(page: Page, files: RegExp): Promise<void> {
  await page.route(files, (route) => route.abort());
}

async function expectLoadError({ page, snackbar }: Ui): Promise<void> {
  await expect(snackbar).toContainText('could not be loaded');
  // The same message is shown again only after it has disappeared.
  await page.clock.fastForward(10_000);
  await expect(snackbar).toHaveCount(0);
}

test.beforeEach(({ page }) => page.clock.install());

test('a failed chunk leaves the page usable and is reported each time', { tag: '@embedded' }, async ({ page, ui }) => {
  await blockFiles(page, /assets\/Palette[^/]*\.js$/);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('Palette'));
  await page.goto('features/create');
  await ui.nameField.fill('long.work');
  await failed;
  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press('Control+k');
    await expectLoadError(ui);
  }
  await expect(ui.nameField).toHaveValue('long.work');
  await expect(ui.menu).toBeVisible();
});

test('dialogs and menus that fail to load leave the list usable', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await blockFiles(page, LATER);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    await ui.choose('shop.basket', 'Archive');
    await expectLoadError(ui);
    await ui.checkboxOf('shop.basket').check();
    await expectLoadError(ui);
    await ui.checkboxOf('shop.basket').uncheck();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expectLoadError(ui);
    await page.keyboard.press('Escape');
  }
  await ui.expectNames('mobile.basket', 'shop.basket');
  await expect(ui.switchOf('shop.basket')).toBeEnabled();
});

test('a confirmation that fails to load keeps the input and confirms nothing', { tag: '@embedded' }, async ({
  page,
  ui,
}) => {
  await blockFiles(page, /assets\/LeaveDialog[^/]*\.js$/);
  await page.goto('features/create');
  await ui.nameField.fill('long.work');
  for (let time = 0; time < 2; time += 1) {
    await ui.menu.getByRole('link', { name: 'Strategies' }).click();
    await expectLoadError(ui);
  }
  await expect(page).toHaveURL(/\/features\/create$/);
  await expect(ui.nameField).toHaveValue('long.work');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/long\.work$/);
});

test.describe('confirmation of switches', { tag: '@embedded' }, () => {
  test.use({ settings: ['--env-label', 'production', '--confirm-writes'] });

  test('a switch whose confirmation fails to load does not change', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await blockFiles(page, LATER);
    await page.goto('features');
    for (let time = 0; time < 2; time += 1) {
      await ui.switchOf('shop.basket').click();
      await expectLoadError(ui);
      await expect(ui.switchOf('shop.basket')).toBeChecked();
    }
    expect((await flags.find('shop.basket'))?.enabled).toBe(true);
  });
});
