// Archiving and reviving toggles.

import { expect, test } from './support/fixtures';
import { revive } from './support/revive';

test('archives a toggle from the list after confirmation [S8-035] [S4-005] [S7-011] [S7-015]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gift-cards' });
  await page.goto('features');
  await ui.choose('shop.basket', 'Archive');
  await expect(ui.dialog).toContainText('Are you sure you want to remove this toggle?');
  await expect(ui.dialog).toContainText('shop.basket');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await flags.findArchived('shop.basket')).toBeUndefined();

  await ui.choose('shop.basket', 'Archive');
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect(ui.dialog).toBeHidden();
  await ui.expectNames('shop.gift-cards');
  expect(await flags.findArchived('shop.basket')).toBeDefined();
  await page.goto('archive');
  await expect(ui.row('shop.basket')).toContainText(/Archived just now by \S+/);
});

test('archives a toggle from its page and goes to the list [S2-053] [S8-035]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gift-cards' });
  await page.goto('features/strategies/shop.basket');
  await ui.archiveFromDetail();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this toggle?');
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect(page).toHaveURL(/\/features$/);
  await ui.expectNames('shop.gift-cards');
});

test('revives a toggle from the archive [S2-013] [S2-041] [S4-006] [S7-016] [S7-017] [S3-035]', async ({
  page,
  ui,
  flags,
  version,
}) => {
  await flags.create({ name: 'shop.basket', description: 'A larger basket' }, { name: 'shop.gone' });
  await flags.archive('shop.basket');
  await flags.archive('shop.gone');
  await page.goto('archive');
  await expect(ui.row('shop.basket')).toContainText('A larger basket');
  // Archived toggles have no switch.
  await expect(page.getByRole('row').getByRole('switch')).toHaveCount(0);
  const button = ui.row('shop.basket').getByRole('button', { name: /Revive/ });
  await expect(button.locator('svg.lucide-undo-2')).toBeVisible();
  await revive(ui, button, version);
  await expect(ui.row('shop.basket')).toHaveCount(0);
  await expect(ui.row('shop.gone')).toBeVisible();
  expect(await flags.find('shop.basket')).toBeDefined();
  expect(await flags.findArchived('shop.basket')).toBeUndefined();
  await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
  await expect(ui.row('shop.basket')).toBeVisible();
});

test('an archived toggle has the same tabs and is read-only [S2-014] [S2-030] [S4-001]', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.gone', description: 'Once upon a time', stale: true });
  await flags.archive('shop.gone');
  await page.goto('archive');
  await ui.row('shop.gone').getByRole('link', { name: 'shop.gone' }).click();
  await expect(page).toHaveURL(/\/archive\/strategies\/shop\.gone$/);
  await expect(page).toHaveTitle(/^shop\.gone - Archive - /);
  await expect(ui.main).toContainText('Once upon a time');
  await expect(ui.main).toContainText('Stale');
  await expect(ui.main.getByText('Disabled', { exact: true })).toBeVisible();

  const enabled = ui.main.getByRole('switch', { name: 'Enabled' });
  await expect(enabled).toHaveAttribute('aria-disabled', 'true');
  await expect(enabled).toHaveAttribute('aria-description', /archived/);
  const before = await flags.findArchived('shop.gone');
  await enabled.click({ force: true });
  await expect(enabled).not.toBeChecked();
  expect(await flags.findArchived('shop.gone')).toEqual(before);

  await ui.tab('Metrics').click();
  await expect(page).toHaveURL(/\/archive\/view\/shop\.gone$/);
  await expect(ui.main).toContainText('Never reported');
  await ui.tab('Variants').click();
  await expect(page).toHaveURL(/\/archive\/variants\/shop\.gone$/);
  await ui.tab('Log').click();
  await expect(page).toHaveURL(/\/archive\/history\/shop\.gone$/);
  await expect(ui.main).toContainText('archived the toggle');
});

test('an archived toggle shows its strategies and variants, which are read-only [S2-014] [S2-030]', {
  tag: ['@archived-strategies', '@reach'],
}, async ({ page, ui, flags }) => {
  const variants = [{ name: 'lime', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  await flags.create({ name: 'shop.gone', variants });
  await flags.archive('shop.gone');
  await page.goto('archive/strategies/shop.gone');
  await expect(ui.main.getByRole('article', { name: 'default' })).toBeVisible();
  await expect(ui.activation.addStrategyButton).toHaveCount(0);
  await ui.tab('Variants').click();
  await expect(ui.variants.row('lime')).toContainText('100 %');
  await expect(ui.main.getByRole('button', { name: 'Add variant' })).toBeDisabled();
});

test('an archived toggle can be revived at its former URL [S2-054] [S4-005]', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
  version,
}) => {
  await flags.create({ name: 'shop.gone' });
  await flags.archive('shop.gone');
  await page.goto('features/strategies/shop.gone');
  await expect(ui.main.getByText('Archived', { exact: true })).toBeVisible();
  await expect(ui.main.getByText('Active', { exact: true })).toHaveCount(0);
  await revive(ui, page.getByRole('button', { name: /Revive/ }), version);
  await expect(page).toHaveURL(/\/features$/);
  await expect(ui.row('shop.gone')).toBeVisible();
  expect(await flags.find('shop.gone')).toBeDefined();
  // Its URL in the archive leads to the revived toggle.
  await page.goto('archive/view/shop.gone');
  await ui.tab('Activation').click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.gone$/);
});
