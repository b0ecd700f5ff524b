// Code that does not run: chunks that fail to load, as after an update of the program, and browsers that are too old or
// have no JavaScript.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

/** Makes the chunk with all code that is not part of the first page fail, and lets the test control the clock. */
async function blockLaterCode(page: Page): Promise<void> {
  await page.clock.install();
  await page.route('**/assets/{ui,toggle,rest}-*.js', (route) => route.abort());
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

test('dialogs that fail to load leave the list usable and are reported each time', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await blockLaterCode(page);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    await ui.choose('shop.basket', 'Archive');
    await expectLoadError(ui);
    await ui.checkboxOf('shop.basket').check();
    await expectLoadError(ui);
    await ui.checkboxOf('shop.basket').uncheck();
    await page.keyboard.press('Control+k');
    await expectLoadError(ui);
  }
  await ui.expectNames('mobile.basket', 'shop.basket');
  await expect(ui.switchOf('shop.basket')).toBeEnabled();
});

test('a page that fails to load shows the cause, and the page before it stays as it was', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await blockLaterCode(page);
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
  await blockLaterCode(page);
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
    await blockLaterCode(page);
    await page.goto('features');
    for (let time = 0; time < 2; time += 1) {
      await ui.switchOf('shop.basket').click();
      await expectLoadError(ui);
      await expect(ui.switchOf('shop.basket')).toBeChecked();
    }
    expect((await flags.find('shop.basket'))?.enabled).toBe(true);
  });
});

test.describe('a browser that cannot run the console', { tag: '@embedded' }, () => {
  const NEEDS = 'Flagdeck needs a newer browser: Chrome 120, Edge 120, Firefox 128, Safari 17, or newer.';

  test('shows the oldest supported versions', async ({ context }) => {
    for (const [kind, remove] of [
      ['Chrome 119', () => Reflect.deleteProperty(URL, 'canParse')],
      ['Firefox 127', () => Reflect.deleteProperty(globalThis, 'CSSPropertyRule')],
      ['Safari 16', () => Reflect.deleteProperty(HTMLElement.prototype, 'popover')],
    ] as const) {
      const page = await context.newPage();
      await page.addInitScript(remove);
      const lists: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/')) lists.push(request.url());
      });
      await page.goto('features');
      await expect(page.locator('body'), kind).toHaveText(NEEDS);
      expect(lists).toEqual([]);
      await page.close();
    }
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('asks to turn it on', async ({ page }) => {
      await page.goto('features');
      await expect(page.locator('p')).toHaveText('Flagdeck needs JavaScript. Turn it on and reload the page.');
    });
  });
});
