// Deprecating, reactivating and deleting strategy definitions.

import { expect, test } from './support/fixtures';
import { STORED } from './support/slowdown';
import { BY_REGION, definitionOf, register, section, waitForApplications } from './support/strategies';

const byRegion = { name: 'byRegion', parameters: { regions: 'no,se', share: '' } };

test('deprecates and reactivates a strategy after confirmation, with undo [S2-068] [S2-069] [S2-076] [S4-011] [S7-047] [S7-048] [S8-037] [S8-038]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/strategies', BY_REGION);
  await flags.post('admin/strategies', { ...BY_REGION, name: 'byMoon' });
  // Servers may store a definition shortly after their response.
  await expect.poll(() => definitionOf(flags, 'byMoon')).toBeDefined();
  await flags.post('admin/strategies/byMoon/deprecate');
  await flags.create({ name: 'shop.basket', strategies: [byRegion] });
  const isDeprecated = async () => (await definitionOf(flags, 'byRegion'))?.deprecated;
  await page.goto('strategies');
  // The icon is a closed eye for deprecating and an open eye for reactivating.
  await expect(ui.row('byRegion').locator('button .lucide-eye-off')).toBeVisible();
  await expect(ui.row('byMoon').locator('button .lucide-eye')).toBeVisible();
  await ui.row('byRegion').getByRole('button', { name: 'Deprecate byRegion' }).click();
  await expect(ui.dialog).toContainText('Are you sure you want to deprecate this strategy?');
  await expect(section(ui.dialog, 'Toggles using it').getByRole('link')).toHaveText(['shop.basket']);
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await isDeprecated()).toBe(false);
  await ui.row('byRegion').getByRole('button', { name: 'Deprecate byRegion' }).click();
  await ui.dialog.getByRole('button', { name: 'Deprecate' }).click();
  await expect(ui.row('byRegion')).toContainText('Deprecated');
  await expect.poll(isDeprecated).toBe(true);
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(ui.row('byRegion')).not.toContainText('Deprecated');
  await expect.poll(isDeprecated).toBe(false);

  await flags.post('admin/strategies/byRegion/deprecate');
  await page.goto('strategies/view/byRegion');
  await expect(ui.main).toContainText('Deprecated: it can no longer be added');
  await ui.main.getByRole('button', { name: 'Reactivate' }).click();
  await expect(ui.dialog).toContainText('Are you sure you want to reactivate this strategy?');
  await ui.dialog.getByRole('button', { name: 'Reactivate' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.main).not.toContainText('Deprecated');
  await expect.poll(isDeprecated).toBe(false);
});

test('deletes a strategy after a confirmation that shows its usage, with undo [S2-069] [S7-046] [S8-036]', {
  tag: '@toggle-applications',
}, async ({ page, ui, flags }) => {
  // Some services store applications only every few seconds.
  test.slow();
  await flags.post('admin/strategies', BY_REGION);
  await flags.create({ name: 'shop.basket', strategies: [byRegion] });
  await register(flags, 'mobile', 'default');
  await register(flags, 'shop', 'default');
  await flags.report({ 'shop.basket': { yes: 1, no: 1 } });
  await waitForApplications(flags, 2);
  // Some services remember requests of other applications, so the test waits for this one.
  const usedByShop = expect.arrayContaining([expect.objectContaining({ appName: 'shop' })]);
  await expect.poll(() => flags.get('admin/metrics/seen-apps'), STORED).toHaveProperty(['shop.basket'], usedByShop);
  await page.goto('strategies');
  await ui.row('byRegion').getByRole('button', { name: 'Delete byRegion' }).click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this strategy?');
  await expect(section(ui.dialog, 'Toggles using it').getByRole('link')).toHaveText(['shop.basket']);
  await expect(section(ui.dialog, 'Applications without it').getByRole('listitem').first()).toHaveText(
    /shop\s*uses shop\.basket/,
  );
  await ui.dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(ui.row('byRegion')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Strategies' })).toBeFocused();
  await expect.poll(() => definitionOf(flags, 'byRegion')).toBeUndefined();
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(ui.row('byRegion')).toBeVisible();
  await expect.poll(() => definitionOf(flags, 'byRegion')).toMatchObject(BY_REGION);

  await page.goto('strategies/view/byRegion');
  await ui.main.getByRole('button', { name: 'Delete' }).click();
  await ui.dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/strategies$/);
  await expect.poll(() => definitionOf(flags, 'byRegion')).toBeUndefined();
});

for (const order of ['before', 'after'] as const) {
  test(`a strategy that another user has deleted disappears from the list ${order} the dialog closes`, {
    tag: '@reach',
  }, async ({ page, ui, flags }) => {
    await flags.post('admin/strategies', BY_REGION);
    await page.goto('strategies');
    const button = ui.row('byRegion').getByRole('button', { name: 'Delete byRegion' });
    await button.click();
    await expect(ui.dialog).toContainText('No toggles use it.');
    await flags.remove('admin/strategies/byRegion');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/admin/strategies', async (route) => {
      await released;
      await route.fallback();
    });
    if (order === 'before') release();
    await ui.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(ui.dialog.getByRole('alert')).toContainText('could not be found');
    if (order === 'before') await expect(ui.main.getByText('byRegion', { exact: true })).toHaveCount(0);
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    if (order === 'after') await expect(button).toBeFocused();
    release();
    await expect(ui.row('byRegion')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Strategies' })).toBeFocused();
  });
}

test('built-in strategies cannot be edited or deleted, and the default cannot be deprecated [S2-070] [S2-071] [S6-008] [S6-009]', {
  tag: '@reach',
}, async ({ page, ui }) => {
  await page.goto('strategies');
  const deprecate = ui.row('default').getByRole('button', { name: 'Deprecate default' });
  await expect(deprecate).toBeDisabled();
  await expect(deprecate).toHaveAccessibleDescription('The default strategy cannot be deprecated.');
  await expect(ui.row('userWithId').getByRole('button', { name: 'Deprecate userWithId' })).toBeEnabled();
  const remove = ui.row('userWithId').getByRole('button', { name: 'Delete userWithId' });
  await expect(remove).toBeDisabled();
  await expect(remove).toHaveAccessibleDescription('A built-in strategy cannot be deleted.');
  await page.goto('strategies/edit/userWithId');
  await expect(ui.main).toContainText('A built-in strategy cannot be edited.');
  await expect(ui.row('userIds')).toBeVisible();
  await expect(ui.main.getByRole('link', { name: 'Edit' })).toHaveCount(0);
  await expect(ui.main.getByRole('textbox')).toHaveCount(0);
  await expect(ui.main.getByRole('button', { name: 'Delete' })).toBeDisabled();
});
