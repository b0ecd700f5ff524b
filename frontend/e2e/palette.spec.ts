// The command palette with real keys: a journey, recent pages after a reload, keys before its code is loaded, and the focus. Its
// results: ../src/layout/palette/palette.test.tsx.

import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { gate } from './support/gate';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or run a command' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

/** Checks that the option is selected, visually and for assistive technology. */
async function expectSelected(page: Page, option: Locator): Promise<void> {
  await expect(option).toHaveAttribute('data-highlighted');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '');
}

async function openPalette(page: Page): Promise<void> {
  // The frame listens to the key before it renders a page.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

test('runs toggle actions from any page: enable, disable, stale, copy, archive', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('disable shop');
  await expectSelected(page, option(page, 'Disable shop.basket'));
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('shop.basket switched off.');
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: false });

  await openPalette(page);
  await page.keyboard.type('stale mobile');
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('mobile.basket marked as Stale.');

  // Selecting a toggle lists its actions below it.
  await openPalette(page);
  await page.keyboard.type('shop.basket');
  await expect(option(page, 'Enable shop.basket')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expectSelected(page, option(page, 'Enable shop.basket'));
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('shop.basket switched on.');

  await openPalette(page);
  await page.keyboard.type('copy shop');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/copy\/shop\.basket$/);

  await openPalette(page);
  await page.keyboard.type('archive shop.basket');
  await expectSelected(page, option(page, 'Archive shop.basket'));
  await page.keyboard.press('Enter');
  await expect(ui.dialog).toContainText('Are you sure you want to remove this toggle?');
  expect(await flags.find('shop.basket')).toBeDefined();
  await ui.dialog.getByRole('button', { name: 'Archive' }).press('Enter');
  await expect(ui.dialog).toBeHidden();
  expect(await flags.findArchived('shop.basket')).toBeDefined();
});

test('visited toggles are recent items, without the current one', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.page' });
  await page.goto('features');
  for (const name of ['shop.page', 'shop.basket']) {
    await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
    await ui.row(name).getByRole('link', { name, exact: true }).click();
    await expect(ui.activation.titles().first()).toBeVisible();
  }
  await ui.menu.getByRole('link', { name: 'Strategies' }).click();
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await expect(page).toHaveTitle(/^Archive/);
  await openPalette(page);
  const recent = palette(page).getByRole('group', { name: 'Recent toggles' }).getByRole('option');
  await expect(recent).toHaveText(['shop.basket', 'shop.page']);
  await option(page, 'shop.basket').click();
  await expect(page).toHaveTitle(/^shop\.basket/);
  await page.reload();
  await openPalette(page);
  await expect(recent).toHaveText(['shop.page']);
});

/** Delays the code of the palette until `code` opens; `requested` opens once the page has requested it. */
async function holdPaletteCode(page: Page) {
  const code = gate();
  const requested = gate();
  await page.route('**/assets/{ui,toggle,rest}-*.js', async (route) => {
    requested.open();
    await code.opened;
    await route.continue();
  });
  return { code, requested };
}

test('keeps keys typed before, while and after the palette is loaded', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  const { code, requested } = await holdPaletteCode(page);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await ui.search.focus();
  await page.keyboard.press('Control+k');
  await requested.opened;
  await page.keyboard.type('disablee');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(' shop');
  code.open();
  await expect(field(page)).toHaveValue('disable shop');
  await expectSelected(page, option(page, 'Disable shop.basket'));
  // The keys go to the palette, not to the field that had the focus.
  await expect(page.getByRole('searchbox', { includeHidden: true })).toHaveValue('');
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('shop.basket switched off.');

  await page.unrouteAll();
  await page.goto('history');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  // The code is not prefetched yet.
  await page.keyboard.type('enable shop.basket', { delay: 5 });
  await expect(field(page)).toHaveValue('enable shop.basket');
  await expectSelected(page, option(page, 'Enable shop.basket'));
});

test('keeps all keys typed immediately after opening it with the search field', { tag: ['@embedded', '@ci'] }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await page.getByRole('button', { name: /^Search or run a command/ }).click();
  // The code is not prefetched yet: the keys are typed before, while and after it loads.
  await page.keyboard.type('disable shop.basket', { delay: 5 });
  await expect(field(page)).toHaveValue('disable shop.basket');
  await expectSelected(page, option(page, 'Disable shop.basket'));
});

test('switches the theme and restores the focus', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('history');
  const button = page.getByRole('button', { name: /^Search or run a command/ });
  await button.focus();
  const light = await ui.backgroundColor();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('theme dark');
  await expectSelected(page, option(page, 'Theme: Dark'));
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect.poll(() => ui.backgroundColor()).not.toBe(light);
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(button).toBeFocused();
});
