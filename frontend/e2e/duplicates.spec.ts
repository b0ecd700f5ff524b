// Duplicate values are refused when complete, not while a longer value with the same prefix is typed.

import type { Locator } from '@playwright/test';
import { expect, test } from './support/fixtures';

/** Types the text and returns the values at which the field was marked as invalid. */
async function refusedWhileTyping(field: Locator, text: string): Promise<string[]> {
  const refused: string[] = [];
  for (const key of text) {
    await field.press(key);
    if ((await field.getAttribute('aria-invalid')) === 'true') refused.push(await field.inputValue());
  }
  return refused;
}

test('a name that begins with the name of another toggle can be typed [S5-002]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop' });
  await page.goto('features/create');
  await ui.nameField.fill('shop');
  await ui.nameField.blur();
  await expect(ui.nameField).toHaveAccessibleDescription(/A toggle with that name already exists/);
  await ui.nameField.fill('');
  expect(await refusedWhileTyping(ui.nameField, 'shop.basket')).toEqual([]);
  await ui.nameField.fill('shop');
  await ui.nameField.blur();
  await expect(ui.nameField).toHaveAttribute('aria-invalid', 'true');
});

test('a legal value that begins with another one can be typed [S5-025]', { tag: '@embedded' }, async ({ page }) => {
  await page.goto('context/create');
  const value = page.getByLabel('Legal values');
  await value.fill('eu');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove eu' })).toBeVisible();
  expect(await refusedWhileTyping(value, 'eu')).toEqual([]);
  await value.press('Enter');
  await expect(value).toHaveAccessibleDescription(/Duplicate legal value/);
  expect(await refusedWhileTyping(value, '-west')).toEqual([]);
  await value.fill('eu');
  await value.blur();
  await expect(value).toHaveAccessibleDescription(/Duplicate legal value/);
  await value.fill('eu-west');
  await value.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove eu-west' })).toBeVisible();
});

test('a parameter name that begins with another one can be typed', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('strategies/create');
  const add = ui.main.getByRole('button', { name: 'Add parameter' });
  const names = page.getByLabel('Parameter name');
  await add.click();
  await names.nth(0).fill('region');
  await add.click();
  expect(await refusedWhileTyping(names.nth(1), 'regions')).toEqual([]);
  await names.nth(1).fill('region');
  await names.nth(1).press('Enter');
  await expect(names.nth(1)).toHaveAccessibleDescription(/A parameter named region/);
  await expect(page).toHaveURL(/\/strategies\/create$/);
  await names.nth(1).fill('regions');
  // Typing makes the first name equal to the second one.
  await names.nth(0).fill('');
  expect(await refusedWhileTyping(names.nth(0), 'regions')).toEqual([]);
  expect(await names.nth(1).getAttribute('aria-invalid')).not.toBe('true');
  await names.nth(0).blur();
  await expect(names.nth(1)).toHaveAttribute('aria-invalid', 'true');
});
