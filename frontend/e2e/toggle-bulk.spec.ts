// Bulk actions: selection, actions, failures and undo.

import { expect, test } from './support/fixtures';

test.describe('selected rows', () => {
  test.beforeEach(async ({ flags, page, ui }) => {
    await flags.createMany('flag.', 6);
    await flags.create({ name: 'other', enabled: false });
    await page.goto('features');
    await expect(ui.row('other')).toBeVisible();
  });

  test('are one row, a range with Shift, or all filtered rows', { tag: '@embedded' }, async ({ page, ui }) => {
    await ui.checkboxOf('flag.001').check();
    await expect(ui.bulk).toContainText('1 selected');
    await ui.checkboxOf('flag.004').click({ modifiers: ['Shift'] });
    await expect(ui.bulk).toContainText('4 selected');
    await ui.checkboxOf('flag.002').uncheck();
    await expect(ui.bulk).toContainText('3 selected');
    const all = page.getByRole('checkbox', { name: 'Select all 7' });
    await expect(all).toBeChecked({ indeterminate: true });
    await all.check();
    await expect(ui.bulk).toContainText('7 selected');

    // Rows hidden by a filter are not selected.
    await ui.search.fill('other');
    await ui.search.press('Enter');
    await ui.expectNames('other');
    await expect(ui.bulk).toContainText('1 selected');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await expect(ui.bulk).toBeHidden();
  });

  test('can be selected and changed with the keyboard alone', { tag: '@embedded' }, async ({ page, ui, flags }) => {
    const { keyboard } = page;
    await ui.checkboxOf('flag.000').focus();
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await expect(ui.checkboxOf('flag.002')).toBeFocused();
    await keyboard.press('Shift+Space');
    await expect(ui.bulk).toContainText('3 selected');
    await keyboard.press('Enter');
    await expect(ui.bulk).toBeFocused();
    const status = ui.bulk.getByRole('button', { name: 'Status' });
    await expect(status).toBeVisible();
    await keyboard.press('Tab');
    await expect(ui.bulk.getByRole('button', { name: 'Select all 7' })).toBeFocused();
    await keyboard.press('Tab');
    await expect(status).toBeFocused();
    await keyboard.press('Enter');
    await expect(ui.bulk.getByRole('menuitem', { name: 'Enable' })).toBeFocused();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(ui.snackbar).toContainText('3 toggles switched off.');
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
    expect(await flags.find('flag.001')).toMatchObject({ enabled: false });
    expect(await flags.find('flag.003')).toMatchObject({ enabled: true });
  });

  test('ask once about toggles that files manage, and are copied as YAML', { tag: '@embedded' }, async ({
    page,
    ui,
    flags,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await flags.post('admin/tag-types', { name: 'managed-by', description: '', icon: '' });
    for (const name of ['flag.001', 'flag.002'])
      await flags.post(`admin/features/${name}/tags`, { type: 'managed-by', value: 'acme/flags' });
    await page.reload();
    await expect(ui.row('flag.001')).toContainText('Managed by acme/flags');
    await ui.checkboxOf('flag.000').check();
    await ui.checkboxOf('flag.002').click({ modifiers: ['Shift'] });
    await ui.bulk.getByRole('button', { name: 'Copy as YAML' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^version: 1\ntoggles:\n {2}flag\.000:\n(.*\n)* {2}flag\.001:\n(.*\n)* {2}flag\.002:\n/);
    await ui.chooseBulkStatus('Disable');
    const dialog = page.getByRole('dialog', { name: 'Edit 2 toggles' });
    await expect(dialog).toContainText('flag.001, flag.002');
    await dialog.getByRole('button', { name: 'Edit anyway' }).click();
    await expect(ui.snackbar).toContainText('3 toggles switched off.');
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await flags.find('flag.001'))?.enabled).toBe(true);
  });

  test('open a dark bar that is centred on the content', { tag: '@embedded' }, async ({ page, ui }) => {
    await ui.checkboxOf('flag.001').check();
    await expect(ui.bulk).toContainText('1 selected');
    await expect(ui.bulk.getByRole('button', { name: 'Select all 7' })).toBeVisible();
    const middle = (box: { x: number; width: number } | null) => (box?.x ?? 0) + (box?.width ?? 0) / 2;
    await expect
      .poll(async () => Math.abs(middle(await ui.bulk.boundingBox()) - middle(await ui.main.boundingBox())))
      .toBeLessThan(1);
    const style = await ui.bulk.evaluate((bar) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(bar);
      return { backgroundColor, borderTopWidth };
    });
    expect(style).toEqual({ backgroundColor: 'rgb(16, 27, 43)', borderTopWidth: '0px' });
    // The bar does not cover the end of the page.
    await page.setViewportSize({ width: 1280, height: 420 });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect
      .poll(async () => {
        const footer = await ui.footer.boundingBox();
        const bar = await ui.bulk.boundingBox();
        return (bar?.y ?? 0) - (footer?.y ?? 0) - (footer?.height ?? 0);
      })
      .toBeGreaterThanOrEqual(0);
  });

  test('are switched and marked, and undo reverts only the toggles that changed', { tag: '@reach' }, async ({
    ui,
    flags,
  }) => {
    await ui.checkboxOf('flag.004').check();
    await ui.checkboxOf('other').click({ modifiers: ['Shift'] });
    await ui.chooseBulkStatus('Disable');
    // One of the three was already off.
    await expect(ui.snackbar).toContainText('2 toggles switched off');
    await expect(ui.switchOf('flag.005')).not.toBeChecked();
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(ui.switchOf('flag.004')).toBeChecked();
    await expect(ui.switchOf('flag.005')).toBeChecked();
    expect(await flags.find('other')).toMatchObject({ enabled: false });

    await ui.checkboxOf('flag.000').check();
    await ui.checkboxOf('other').check();
    await ui.chooseBulkStatus('Mark stale');
    await expect(ui.snackbar).toContainText('2 toggles marked as stale.');
    await expect(ui.row('other')).toContainText('Stale');
    expect(await flags.find('flag.000')).toMatchObject({ stale: true });
    await ui.checkboxOf('flag.000').check();
    await ui.chooseBulkStatus('Mark active');
    await expect(ui.row('flag.000')).not.toContainText('Stale');
    expect(await flags.find('other')).toMatchObject({ stale: true });
  });

  test('are archived after a confirmation with their number, and undo restores their state', {
    tag: '@embedded',
  }, async ({ page, ui, flags }) => {
    await page.getByRole('checkbox', { name: 'Select all 7' }).check();
    await ui.checkboxOf('flag.000').uncheck();
    await ui.bulk.getByRole('button', { name: 'Archive…' }).click();
    await expect(ui.dialog).toContainText('Are you sure you want to remove these 6 toggles?');
    await expect(ui.dialog).toContainText('Not used in the last hour.');
    await expect(ui.dialog.getByRole('checkbox', { name: /^flag\.001/ })).toBeChecked();
    await ui.dialog.getByRole('button', { name: 'Archive 6 toggles' }).click();
    await ui.expectNames('flag.000');
    await expect(ui.snackbar).toContainText('6 toggles archived.');
    expect(await flags.findArchived('other')).toBeDefined();
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(ui.names()).toHaveCount(7);
    await expect(ui.snackbar).toContainText('Undone.');
    expect(await flags.find('flag.003')).toMatchObject({ enabled: true });
    expect(await flags.find('other')).toMatchObject({ enabled: false });
  });

  test('are tagged, and the filter of that tag finds them', { tag: ['@tag-filter', '@reach'] }, async ({
    page,
    ui,
    flags,
  }) => {
    await flags.post('admin/features/flag.000/tags', { type: 'simple', value: 'winter sale' });
    await page.goto('features?tag=simple:winter%20sale');
    await ui.expectNames('flag.000');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await ui.checkboxOf('flag.000').check();
    await ui.checkboxOf('flag.002').click({ modifiers: ['Shift'] });
    await ui.bulk.getByRole('button', { name: 'Add tag…' }).click();
    await ui.dialog.getByLabel('Value').fill('winter sale');
    await ui.dialog.getByRole('button', { name: 'Add tag' }).click();
    // The first toggle already had the tag.
    await expect(ui.snackbar).toContainText('2 toggles tagged simple: winter sale.');
    await page.goBack();
    await page.goto('features?tag=simple:winter%20sale');
    await ui.expectNames('flag.000', 'flag.001', 'flag.002');
  });
});

test.describe('on a phone', { tag: '@embedded' }, () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('rows are selected from their menu, and the bar has the full width', async ({ page, ui, flags }) => {
    await flags.createMany('flag.', 3);
    await page.goto('features');
    await expect(ui.row('flag.000')).toBeVisible();
    await expect(ui.checkboxOf('flag.000')).toBeHidden();
    await ui.choose('flag.000', 'Select');
    await ui.checkboxOf('flag.002').check();
    await expect(ui.bulk).toContainText('2 selected');
    const bar = await ui.bulk.boundingBox();
    expect(bar?.width).toBeGreaterThan(330);
    for (const name of ['Select all 3', 'Status', 'Add tag…', 'Archive…', 'Clear selection']) {
      const button = await ui.bulk.getByRole('button', { name }).boundingBox();
      expect(button?.height, name).toBeGreaterThanOrEqual(44);
    }
    await ui.chooseBulkStatus('Disable');
    await expect(ui.switchOf('flag.002')).not.toBeChecked();
    await expect(ui.switchOf('flag.001')).toBeChecked();
    await expect(ui.checkboxOf('flag.000')).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
