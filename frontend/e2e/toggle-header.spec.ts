// The header of a toggle: description, type, project, status and permissions.

import type { Locator } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { afterRead } from './support/afterRead';
import { expect, test } from './support/fixtures';

test('the description is edited in place [S2-047] [S2-048] [S5-006] [S5-003] [S7-008] [S4-017]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await page.goto('features/strategies/shop.basket');
  await expect(page.getByRole('heading', { name: 'shop.basket' })).toBeVisible();
  await expect(ui.main.getByText('Active', { exact: true })).toBeVisible();
  const field = ui.main.getByRole('textbox', { name: 'Description' });
  const top = async () => (await ui.tab('Activation').boundingBox())?.y;
  const before = await top();
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await expect(field).toBeFocused();
  // The field has the place of the text.
  expect(await top()).toBe(before);
  await field.press('Escape');
  await expect(ui.main.getByRole('button', { name: 'Edit description' })).toBeFocused();
  await page.keyboard.press('Enter');
  await field.fill('  ');
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ui.main.getByRole('alert')).toContainText('Enter a description.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('  A larger basket ');
  await field.press('Enter');
  await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
  await expect(field).toHaveCount(0);
  await expect(ui.main).toContainText('A larger basket');
  await expect(ui.main.getByRole('button', { name: 'Edit description' })).toBeFocused();
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'A larger basket', enabled: true });
});

test('the type can be changed in place [S2-049]', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', type: 'release' });
  await page.goto('features/strategies/shop.basket');
  await expect(ui.property('Toggle type')).toHaveText('Release');
  await ui.chooseProperty('Toggle type', 'Kill switch');
  await expect(ui.property('Toggle type')).toHaveText('Kill switch');
  expect(await flags.find('shop.basket')).toMatchObject({ type: 'kill-switch' });
});

test('a toggle can be marked as stale and active again [S2-050] [S2-052] [S4-003] [S4-004] [S7-010]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.chooseStatus('Mark toggle as Stale');
  await expect(page.getByText('shop.basket marked as Stale.')).toBeVisible();
  await expect(ui.main.getByText('Stale', { exact: true })).toBeVisible();
  expect((await flags.find('shop.basket'))?.stale).toBe(true);
  await ui.chooseStatus('Set toggle Active');
  await expect(page.getByText('shop.basket marked as Active.')).toBeVisible();
  expect((await flags.find('shop.basket'))?.stale).toBe(false);
});

test('the project can be changed if there are several [S2-049] [S3-018]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await afterRead(page, 'api/admin/projects', () => page.goto('features/strategies/shop.basket'));
  await expect(ui.property('Toggle type')).toBeVisible();
  await expect(ui.property('Project')).toHaveCount(0);
  await flags.post('admin/projects', { id: 'mobile', name: 'Mobile apps', description: '' });
  expect(await flags.find('shop.basket')).toMatchObject({ project: 'default' });
  await page.reload();
  await expect(ui.property('Project')).toHaveText('Default');
  await ui.chooseProperty('Project', 'Mobile apps');
  await expect(ui.property('Project')).toHaveText('Mobile apps');
  expect(await flags.find('shop.basket')).toMatchObject({ project: 'mobile' });
});

test('the buttons that remove tags and move rules appear with the pointer or the focus', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const strategies = [{ name: 'default' }, { name: 'userWithId', parameters: { userIds: 'ada' } }];
  await flags.create({ name: 'shop.basket', strategies });
  await page.goto('features/strategies/shop.basket');
  await ui.addTag('winter');
  await expect(ui.dialog).toBeHidden();
  const remove = page.getByRole('button', { name: 'Remove tag simple: winter' });
  const move = page.getByTestId('handle 1');
  const expectShown = async (control: Locator, isShown: boolean) => {
    await expect.poll(() => control.evaluate((one) => one.checkVisibility({ opacityProperty: true }))).toBe(isShown);
  };
  for (const [control, area] of [
    [remove, ui.tags.first()],
    [move, ui.activation.strategy('default')],
  ] as const) {
    await page.mouse.move(0, 0);
    await expectShown(control, false);
    await area.hover();
    await expectShown(control, true);
    await page.mouse.move(0, 0);
    await expectShown(control, false);
    await tabTo(control);
    await expectShown(control, true);
  }
});
