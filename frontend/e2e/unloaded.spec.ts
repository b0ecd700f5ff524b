// A tab left open over another release of the program, which knows no files of the last one: what cannot be fetched
// takes nothing with it, and says so to whoever asked for it, each time.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

/** All that comes after the code of the first page is gone. */
const LATER = /assets\/(?!index|kit|vendor|rolldown)[^/]+\.js$/;

async function lose(page: Page, files: RegExp): Promise<void> {
  await page.route(files, (route) => route.abort());
}

async function expectTold({ page, snackbar }: Ui): Promise<void> {
  await expect(snackbar).toContainText('could not be loaded');
  // Said again only once it is gone.
  await page.clock.fastForward(10_000);
  await expect(snackbar).toHaveCount(0);
}

test.beforeEach(({ page }) => page.clock.install());

test('what cannot be fetched takes nothing with it, and says so to whoever asked for it', { tag: '@embedded' }, async ({
  page,
  ui,
}) => {
  await lose(page, /assets\/(FooterContent|Palette|ShortcutKeys)[^/]*\.js$/);
  const missed = page.waitForEvent('requestfailed', (request) => request.url().includes('ShortcutKeys'));
  await page.goto('features/create');
  await ui.nameField.fill('long.work');
  await missed;
  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press('Control+k');
    await expectTold(ui);
  }
  await expect(ui.nameField).toHaveValue('long.work');
  await expect(ui.menu).toBeVisible();
});

test('nothing that opens over the list takes it down', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await lose(page, LATER);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    await ui.choose('shop.basket', 'Archive');
    await expectTold(ui);
    await ui.boxOf('shop.basket').check();
    await expectTold(ui);
    await ui.boxOf('shop.basket').uncheck();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expectTold(ui);
    await page.keyboard.press('Escape');
  }
  await ui.expectNames('mobile.basket', 'shop.basket');
  await expect(ui.switchOf('shop.basket')).toBeEnabled();
});

test('a question that cannot be shown leaves what was typed, and is not answered', { tag: '@embedded' }, async ({
  page,
  ui,
}) => {
  await lose(page, /assets\/DialogPopup[^/]*\.js$/);
  await page.goto('features/create');
  await ui.nameField.fill('long.work');
  await ui.addStrategy('userWithId');
  for (let time = 0; time < 2; time += 1) {
    await ui
      .strategy('userWithId')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expectTold(ui);
  }
  await expect(ui.strategy('userWithId')).toBeVisible();
  await expect(ui.nameField).toHaveValue('long.work');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/long\.work$/);
});

test.describe('where switches are to be confirmed', { tag: '@embedded' }, () => {
  test.use({ settings: ['--env-label', 'production', '--confirm-writes'] });

  test('one that cannot be asked about is not switched', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await lose(page, LATER);
    await page.goto('features');
    for (let time = 0; time < 2; time += 1) {
      await ui.switchOf('shop.basket').click();
      await expectTold(ui);
      await expect(ui.switchOf('shop.basket')).toBeChecked();
    }
    expect((await flags.find('shop.basket'))?.enabled).toBe(true);
  });
});
