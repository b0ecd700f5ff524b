// Single-key shortcuts: navigation, the dialog that lists them, and the setting that disables them.

import { expect, test } from './support/fixtures';
import { ONE_TRY } from './support/slowdown';

test('g and a letter open a page, and a question mark opens the list of shortcuts', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  // The shortcuts are loaded when the browser is idle.
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(ui.dialog).toBeVisible(ONE_TRY);
  }).toPass();
  await expect(ui.dialog).toContainText('Keyboard shortcuts');
  for (const text of ['Feature toggles', 'Event history', 'Archive', 'Next or previous row of a list'])
    await expect(ui.dialog).toContainText(text);
  // Shortcuts do nothing in a dialog.
  await page.keyboard.type('gh');
  await expect(page).toHaveURL(/\/features$/);
  await page.keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  for (const [keys, url, heading] of [
    ['gh', /\/history$/, 'Event history'],
    ['gr', /\/archive$/, 'Archive'],
    ['gn', /\/features\/create$/, undefined],
    ['gf', /\/features$/, 'Feature toggles'],
  ] as const) {
    await page.keyboard.type(keys);
    await expect(page).toHaveURL(url);
    // A form focuses its first field. Keys typed into it would be text.
    const focused = heading ? ui.main.getByRole('heading', { level: 1, name: heading }) : ui.nameField;
    await expect(focused).toBeFocused();
    if (!heading) await ui.nameField.blur();
  }
});

test('shortcut keys are text in a field', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('history');
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(ui.dialog).toBeVisible(ONE_TRY);
  }).toPass();
  await page.keyboard.press('Escape');
  await page.keyboard.type('gn');
  await expect(ui.nameField).toBeVisible();
  await ui.nameField.click();
  await page.keyboard.type('gf?/');
  await expect(ui.nameField).toHaveValue('gf?/');
  await expect(page).toHaveURL(/\/features\/create$/);
});

test('a slash focuses the search of the page, or opens the palette if there is none', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await page.keyboard.press('/');
  await expect(ui.search).toBeFocused();
  await ui.activation.open('shop.basket');
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused(ONE_TRY);
  }).toPass();
});

test('single-key shortcuts can be disabled permanently and enabled again from the palette', {
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
  for (const key of ['/', '?', 'j']) await page.keyboard.press(key);
  await expect(ui.row('shop.basket').getByRole('link').first()).not.toBeFocused();
  await page.keyboard.type('gh');
  await expect(ui.search).not.toBeFocused();
  await expect(ui.dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/features$/);
  await openSheet();
  await ui.dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  // The shortcuts are loaded when the browser is idle.
  await expect(async () => {
    await page.keyboard.type('gh');
    await expect(page).toHaveURL(/\/history$/, ONE_TRY);
  }).toPass();
});
