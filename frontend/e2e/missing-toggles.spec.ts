// Toggles and strategies that applications request and the server does not have.

import { reportApplication } from './support/applications';
import { expect, test } from './support/fixtures';

test.describe.configure({ timeout: 90_000 });

test('lists missing toggles and strategies with their applications and links to create them [S2-089] [S2-090]', {
  tag: ['@unknown-toggles', '@reach'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.old' });
  await flags.archive('shop.old');
  await reportApplication(flags, 'web', {
    strategies: ['default', 'byRegion'],
    toggles: ['shop.basket', 'shop.new', 'shop.basics'],
  });
  await reportApplication(flags, 'app', { toggles: ['shop.new', 'shop.old'] });
  await page.goto('applications');
  const link = ui.main.getByRole('link', { name: 'Missing toggles' });
  await expect(link).toContainText('3');
  await link.click();
  await expect(page).toHaveURL(/\/missing-toggles$/);
  await expect(page).toHaveTitle('Missing toggles - Applications - Flagdeck');
  const toggles = ui.main.getByRole('table', { name: 'Missing toggles' });
  // Sorted by the number of applications.
  await expect(toggles.getByRole('rowheader')).toHaveText(['shop.new', 'shop.basics', 'shop.old']);
  await expect(ui.row('shop.new').getByRole('cell').first()).toHaveText('appweb');
  await expect(ui.row('shop.old').getByRole('link', { name: 'In the archive: shop.old' })).toBeVisible();
  await expect(ui.row('byRegion').getByRole('link', { name: 'Create byRegion' })).toHaveAttribute(
    'href',
    '/strategies/create?name=byRegion',
  );
  await ui.row('shop.basics').getByRole('link', { name: 'web' }).click();
  await expect(page).toHaveURL(/\/applications\/web$/);
  await page.goBack();
  await ui.row('shop.new').getByRole('link', { name: 'Create shop.new' }).click();
  await expect(page).toHaveURL(/\/features\/create\?name=shop\.new$/);
  await expect(ui.nameField).toHaveValue('shop.new');
});

test('reports that nothing is missing, or that there are no applications', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await page.goto('missing-toggles');
  await expect(ui.main).toContainText('No applications');
  await flags.create({ name: 'shop.basket' });
  await reportApplication(flags, 'web', { toggles: ['shop.basket'] });
  await page.reload();
  await expect(ui.main).toContainText('Nothing is missing');
});
