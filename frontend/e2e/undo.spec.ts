// Undo: reverting the last action. Its duration and failures: ../src/layout/Snackbar.test.tsx.

import { expect, test } from './support/fixtures';

const undo = { name: 'Undo' };

test('switching, marking and archiving can be undone', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await ui.switchOf('shop.basket').click();
  await expect(ui.snackbar).toContainText('shop.basket switched off');
  await ui.snackbar.getByRole('button', undo).click();
  await expect(ui.switchOf('shop.basket')).toBeChecked();
  await expect(ui.snackbar).toContainText('Undone.');
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: true });

  await ui.choose('shop.basket', 'Mark toggle as Stale');
  await expect(ui.snackbar).toContainText('shop.basket marked as Stale.');
  await ui.snackbar.getByRole('button', undo).click();
  await expect(ui.row('shop.basket')).not.toContainText('Stale');
  expect(await flags.find('shop.basket')).toMatchObject({ stale: false });

  await ui.choose('shop.basket', 'Archive');
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect(ui.snackbar).toContainText('shop.basket archived.');
  await ui.snackbar.getByRole('button', undo).click();
  // Services revive toggles as disabled, and undo restores the enabled state.
  await expect(ui.switchOf('shop.basket')).toBeChecked();
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ enabled: true });
  expect(await flags.findArchived('shop.basket')).toBeUndefined();
});

test('F6 moves the focus to the message and back, Undo returns it, and the undo key keeps it in the row', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.createMany('toggle-', 30);
  await page.goto('features');
  const toggle = ui.switchOf('toggle-000');
  await expect(toggle).toBeEnabled();
  await toggle.press('Space');
  await expect(ui.snackbar).toContainText('toggle-000 switched off.');
  await page.keyboard.press('F6');
  await expect(ui.snackbar.getByRole('button', undo)).toBeFocused();
  for (const key of ['F6', 'Escape']) {
    await page.keyboard.press(key);
    await expect(toggle).toBeFocused();
    await page.keyboard.press('F6');
    await expect(ui.snackbar.getByRole('button', undo)).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(toggle).toBeChecked();
  await expect(toggle).toBeFocused();
  // Only the last action can be undone.
  await toggle.press('Space');
  await expect(ui.snackbar).toContainText('toggle-000 switched off.');
  await ui.switchOf('toggle-001').click();
  await expect(ui.snackbar).toContainText('toggle-001 switched off.');
  await page.keyboard.press('Control+z');
  await expect(ui.switchOf('toggle-001')).toBeChecked();
  await expect(ui.switchOf('toggle-001')).toBeFocused();
  await expect(ui.snackbar.getByRole('button', undo)).toHaveCount(0);
  await expect(toggle).not.toBeChecked();
  // The shortcut is documented.
  await page.keyboard.press('?');
  await expect(ui.dialog.getByRole('term').filter({ hasText: 'Move to the bar or message' })).toBeVisible();
});
