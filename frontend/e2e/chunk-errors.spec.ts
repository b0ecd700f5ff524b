// Chunks that fail to load, as after an update of the program: the page stays usable, and each failure is reported.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

/** Chunks that are neither part of the first page nor among these. */
function allExcept(...names: string[]): RegExp {
  return new RegExp(`assets/(?!${['index', 'vendor', 'rolldown', ...names].join('|')})[^/]+\\.js$`);
}

/** Chunks that are not part of the first page. */
const LATER = allExcept();

async function blockFiles(page: Page, files: RegExp): Promise<void> {
  await page.route(files, (route) => route.abort());
}

async function expectLoadError({ page, snackbar }: Ui): Promise<void> {
  await expect(snackbar).toContainText(
    'This part of the console could not be loaded. The connection failed, or a new version was installed. ' +
      'Save your changes, then reload the page.',
  );
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

test('a confirmation that fails to load keeps the input and the strategies, and confirms nothing', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  // The confirmation of a removal is part of the page. The question before leaving is loaded on demand.
  await blockFiles(page, allExcept('ToggleCreatePage', 'more'));
  await page.goto('features/create');
  await ui.nameField.fill('long.work');
  await ui.activation.addStrategy('userWithId');
  const users = ui.activation.strategy('userWithId');
  await users.getByLabel('userIds').fill('ada,');
  for (let time = 0; time < 2; time += 1) {
    await ui.menu.getByRole('link', { name: 'Strategies' }).click();
    await expectLoadError(ui);
    await expect(page).toHaveURL(/\/features\/create$/);
    await expect(ui.nameField).toHaveValue('long.work');
    await expect(users).toContainText('ada');
  }
  await users.getByRole('button', { name: /^Remove userWithId/ }).click();
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  await page.unrouteAll();
  await ui.menu.getByRole('link', { name: 'Strategies' }).click();
  await ui.stay();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/long\.work$/);
  expect((await flags.find('long.work'))?.strategies).toMatchObject([{ parameters: { userIds: 'ada' } }]);
});

test('a page that fails to load shows the cause, and the page before it stays as it was', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await blockFiles(page, /assets\/more-[^/]+\.js$/);
  await page.goto('features');
  await ui.search.fill('shop');
  await ui.expectNames('shop.basket');
  await ui.checkboxOf('shop.basket').check();
  await expectLoadError(ui);
  await ui.choose('shop.basket', 'Archive');
  await expectLoadError(ui);
  await ui.expectNames('shop.basket');
  await expect(ui.checkboxOf('shop.basket')).toBeChecked();

  const link = ui.row('shop.basket').getByRole('link', { name: 'shop.basket', exact: true });
  const failure = ui.main.getByRole('alert');
  for (let time = 0; time < 2; time += 1) {
    await link.click();
    await expect(failure).toContainText('This page could not be loaded');
    await expect(failure).toContainText('The connection failed, or a new version was installed. Reload the page.');
    await page.goBack();
    await ui.expectNames('shop.basket');
    await expect(ui.search).toHaveValue('shop');
  }
  await page.unrouteAll();
  await link.click();
  await expect(ui.activation.titles()).toHaveText(['default']);
});

test('a page that failed to load is loaded again on the next visit', { tag: '@embedded' }, async ({ page, ui }) => {
  await blockFiles(page, /assets\/ToggleCreatePage-[^/]+\.js$/);
  await page.goto('features');
  await page.getByRole('link', { name: 'New toggle' }).first().click();
  await expect(ui.main.getByRole('alert')).toContainText('This page could not be loaded');
  await page.unrouteAll();
  await page.goBack();
  await ui.openCreateForm();
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

  test('on the page of a toggle, its unsaved changes stay', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }] });
    await blockFiles(page, allExcept('TogglePage', 'more'));
    await ui.activation.open('shop.basket');
    await ui.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
    const enabled = ui.main.getByRole('switch', { name: 'Enabled' });
    await enabled.click();
    await expectLoadError(ui);
    await expect(enabled).toBeChecked();
    await expect(ui.activation.unsavedCards).toHaveCount(1);
    await ui.activation.saveAll.click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    expect(await flags.find('shop.basket')).toMatchObject({
      enabled: true,
      strategies: [{ parameters: { userIds: 'ada,grace' } }],
    });
    await page.unrouteAll();
    await enabled.click();
    await ui.dialog.getByRole('button', { name: 'Disable' }).click();
    await expect.poll(() => flags.find('shop.basket')).toMatchObject({ enabled: false });
  });
});
