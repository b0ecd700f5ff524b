// Keys that lead to pages, the sheet that lists them, and the switch that silences them.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

/** Until everything that is fetched ahead has been: then every key would do what it does. */
async function whenIdle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /ShortcutKeys-[^/]+\.js$/.test(name)),
  );
}

test('g and a letter lead to a page, a question mark to the list of them', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  // The keys come when the browser is idle.
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(ui.dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(ui.dialog).toContainText('Keyboard shortcuts');
  for (const text of ['Feature toggles', 'Event history', 'Archive']) await expect(ui.dialog).toContainText(text);
  // Within a dialog no key leads away.
  await page.keyboard.type('gh');
  await expect(page).toHaveURL(/\/features$/);
  await page.keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  for (const [keys, url] of [
    ['gh', /\/history$/],
    ['gr', /\/archive$/],
    ['gn', /\/features\/create$/],
    ['gf', /\/features$/],
  ] as const) {
    await page.keyboard.type(keys);
    await expect(page).toHaveURL(url);
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
  }
});

test('keys are letters while one types', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('history');
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(ui.dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('Escape');
  await page.keyboard.type('gn');
  await expect(ui.nameField).toBeVisible();
  await ui.nameField.click();
  await page.keyboard.type('gf?/');
  await expect(ui.nameField).toHaveValue('gf?/');
  await expect(page).toHaveURL(/\/features\/create$/);
});

test('a slash searches the page, or everything where the page has no search', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await page.keyboard.press('/');
  await expect(ui.search).toBeFocused();
  await ui.openActivation('shop.basket');
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused({ timeout: 500 });
  }).toPass();
});

test('single keys can be switched off, which is kept, and the palette switches them on again', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  const openSheet = async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('keyboard short');
    await page.getByRole('option', { name: /Keyboard shortcuts/ }).click();
    await expect(ui.dialog.getByRole('switch', { name: 'Single-key shortcuts' })).toBeVisible();
  };
  await openSheet();
  await ui.dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await expect(ui.dialog).toContainText('Off in this browser');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(ui.row('shop.basket')).toBeVisible();
  await openSheet();
  await page.keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  await whenIdle(page);
  for (const key of ['/', '?']) await page.keyboard.press(key);
  await page.keyboard.type('gh');
  await expect(ui.search).not.toBeFocused();
  await expect(ui.dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/features$/);
  await openSheet();
  await ui.dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  // The keys come when the browser is idle.
  await expect(async () => {
    await page.keyboard.type('gh');
    await expect(page).toHaveURL(/\/history$/, { timeout: 500 });
  }).toPass();
});
