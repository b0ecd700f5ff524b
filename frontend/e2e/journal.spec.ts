// The operators' journal: its page, filters and exports, with the lines that the server writes.

import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axeViolations, LOOKS } from './support/accessibility';
import { expect, test } from './support/fixtures';

const file = join(mkdtempSync(join(tmpdir(), 'flagdeck-journal-')), 'journal');

test.describe('the journal', { tag: '@embedded' }, () => {
  test.use({ settings: ['--journal', file] });

  test('shows, filters and exports who changed what', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await page.goto('features');
    await ui.row('shop.basket').getByRole('switch').click();
    await expect(ui.row('shop.basket').getByRole('switch')).not.toBeChecked();
    await ui.menu.getByRole('link', { name: 'Event history' }).click();
    await ui.main.getByRole('link', { name: 'Journal' }).click();
    await expect(page).toHaveTitle('Journal - Event history - Flagdeck');
    const change = ui.main.getByRole('row').filter({ hasText: 'Switched off the toggle shop.basket' });
    await expect(change).toContainText('operator');
    await expect(change).toContainText('Accepted');
    await expect(change).toContainText('127.0.0.1');
    // One line.
    expect((await change.boundingBox())?.height).toBeLessThanOrEqual(46);
    await expect(ui.main.getByText('The journal starts here.')).toBeVisible();
    await ui.main.getByLabel('Search items').fill('basket');
    await expect(ui.main.getByRole('rowheader')).toHaveCount(2);
    await expect(page).toHaveURL(/item=basket/);

    const download = page.waitForEvent('download');
    await ui.main.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('journal.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain('"Switched off the toggle shop.basket","Accepted","200","POST"');

    await change.getByRole('link', { name: 'Event' }).click();
    await expect(page).toHaveURL(/history\/shop\.basket\?event=\d+/);
    await page.goBack();
    await change.getByRole('link', { name: 'shop.basket' }).click();
    await expect(page).toHaveURL(/features\/strategies\/shop\.basket/);
  });

  for (const { colorScheme, width, tag } of LOOKS) {
    test(`is accessible, ${colorScheme} at ${width} px`, { tag }, async ({ page, ui, flags }) => {
      await flags.create({ name: 'shop.basket' });
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto('journal');
      await expect(ui.main.getByText('Created the toggle shop.basket', { exact: false }).first()).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
    });
  }
});
