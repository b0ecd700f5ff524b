// The project of the URL and new toggles, and a search during a navigation. Filters in the URL:
// src/features/toggles/list/listPage.test.tsx.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { gate } from './support/gate';
import type { Ui } from './support/ui';

test('a search applied while the next page loads does not navigate back', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  const code = gate();
  await page.route('**/assets/{ui,toggle,rest}-*.js', async (route) => {
    await code.opened;
    await route.continue();
  });
  await page.goto('features');
  await ui.expectNames('shop.basket');
  const { search } = ui;
  await search.fill('basket');
  // A script clicks the link, because a mouse press would move the focus and apply the search.
  await ui.menu.getByRole('link', { name: 'Applications' }).evaluate((link: HTMLElement) => link.click());
  await expect(page).toHaveURL(/\/applications$/);
  await search.press('Enter');
  code.open();
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('Applications');
  await expect(page).toHaveURL(/\/applications$/);
});

/** Expects the defaults of a new toggle, creates it with a name only, and expects them in the stored toggle. */
async function createWithDefaults({ page, ui, flags }: { page: Page; ui: Ui; flags: Flags }, project: string) {
  await expect(page.getByLabel('Project')).toHaveValue(project);
  await expect(page.getByLabel('Toggle type')).toHaveValue('release');
  await expect(page.getByRole('switch', { name: 'Enabled' })).toBeChecked();
  // Each strategy and each variant would have a heading.
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0);
  await ui.nameField.fill('shop.new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.new$/);
  const defaults = { type: 'release', stale: false, enabled: true, variants: [], project };
  expect(await flags.find('shop.new')).toMatchObject(defaults);
}

test.describe('the current project', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flags }) => {
    for (const id of ['web', 'mobile']) await flags.post('admin/projects', { id, name: id, description: '' });
    await flags.create({ name: 'shop.page', project: 'web' }, { name: 'shop.app', project: 'mobile' });
  });

  test('is the project in the URL of the list for a new toggle [S4-007]', async ({ page, ui, flags }) => {
    await page.goto('features?project=web');
    await ui.expectNames('shop.page');
    await ui.openCreateForm();
    await expect(page.getByLabel('Project')).toHaveValue('web');
    await page.reload();
    await createWithDefaults({ page, ui, flags }, 'web');
  });

  test('is the default project if the URL shows all projects, regardless of the stored one [S4-007]', async ({
    page,
    ui,
    flags,
  }) => {
    await page.goto('features');
    await page.getByLabel('Project').selectOption('mobile');
    await ui.expectNames('shop.app');
    await page.goto('features?filter=shop');
    await ui.expectNames('shop.app', 'shop.page');
    await ui.openCreateForm();
    await createWithDefaults({ page, ui, flags }, 'default');
    await page.goto('features');
    await ui.expectNames('shop.app');
    await ui.openCreateForm();
    await expect(page.getByLabel('Project')).toHaveValue('mobile');
  });
});
