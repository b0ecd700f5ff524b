// Undo: reverting the last action within ten seconds.

import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

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

test('only the last action can be undone, and the undo key keeps the focus in the row', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gift-cards' });
  await page.goto('features');
  await ui.switchOf('shop.basket').click();
  await expect(ui.snackbar).toContainText('shop.basket switched off.');
  await ui.switchOf('shop.gift-cards').click();
  await expect(ui.snackbar).toContainText('shop.gift-cards switched off.');
  await page.keyboard.press('Control+z');
  await expect(ui.switchOf('shop.gift-cards')).toBeChecked();
  await expect(ui.switchOf('shop.gift-cards')).toBeFocused();
  await expect(ui.snackbar.getByRole('button', undo)).toHaveCount(0);
  await expect(ui.switchOf('shop.basket')).not.toBeChecked();
});

test('F6 moves the focus to the message and back, and Undo returns it', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
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
  // The shortcut is documented.
  await page.keyboard.press('?');
  await expect(ui.dialog.getByRole('term').filter({ hasText: 'Move to the bar or message' })).toBeVisible();
});

stubTest.describe('the undo offer', { tag: '@stub' }, () => {
  stubTest.beforeEach(async ({ stub, page, ui }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    const off = toggle('shop.basket', { enabled: false });
    stub.respond('POST /api/admin/features/shop.basket/toggle/off', { body: off });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar.getByRole('button', undo)).toBeVisible();
    // The pointer must not rest on the message, which would keep it open.
    await page.mouse.move(0, 0);
  });

  stubTest('lasts ten seconds, and longer while the pointer is on it', async ({ page, ui }) => {
    await page.clock.runFor(9_900);
    await expect(ui.snackbar.getByRole('button', undo)).toBeVisible();
    await ui.snackbar.hover();
    await page.clock.runFor(30_000);
    await expect(ui.snackbar.getByRole('button', undo)).toBeVisible();
    await page.mouse.move(0, 0);
    await page.clock.runFor(10_100);
    await expect(ui.snackbar).toHaveCount(0);
  });

  stubTest('shows the reason of a failed undo and stays', async ({ page, ui, stub }) => {
    const message = 'The freeze has begun';
    stub.respond('POST /api/admin/features/shop.basket/toggle/on', { status: 403, body: { message } });
    await ui.snackbar.getByRole('button', undo).click();
    await expect(ui.snackbar).toContainText(message);
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    await ui.snackbar.getByRole('button', { name: 'Dismiss' }).click();
    stub.respond('POST /api/admin/features/shop.basket/toggle/on', { body: toggle('shop.basket') });
    await ui.snackbar.getByRole('button', undo).click();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await page.clock.runFor(3_000);
    await expect(ui.snackbar).toHaveCount(0);
  });
});
