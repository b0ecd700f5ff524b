// Filters in the URL: no change overwrites another one, and a URL with filters defines the complete state of the list.

import type { Locator, Page } from '@playwright/test';
import { entries } from './support/events';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { gate } from './support/gate';
import { ONE_TRY } from './support/slowdown';
import type { Ui } from './support/ui';

const parametersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Clicks both elements in one task of the browser, so that nothing is rendered in between. */
async function clickTogether(page: Page, first: Locator, second: Locator): Promise<void> {
  const elements = await Promise.all([first.elementHandle(), second.elementHandle()]);
  await page.evaluate((both) => {
    for (const element of both) (element as HTMLElement).click();
  }, elements);
}

/** Chooses an option of each list in one task of the browser. */
async function selectTogether(page: Page, ...choices: [Locator, string][]): Promise<void> {
  const lists = await Promise.all(choices.map(([list]) => list.elementHandle()));
  const values = choices.map(([, value]) => value);
  await page.evaluate(
    ([elements, chosen]) => {
      elements.forEach((element, index) => {
        const list = element as HTMLSelectElement;
        const setter = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set;
        setter?.call(list, chosen[index]);
        list.dispatchEvent(new Event('change', { bubbles: true }));
      });
    },
    [lists, values] as const,
  );
}

test.describe('two changes at the same time', { tag: '@embedded' }, () => {
  test('both apply to the toggle list', async ({ page, ui, flags }) => {
    await flags.create(
      { name: 'shop.basket' },
      { name: 'shop.gift-cards', enabled: false },
      { name: 'shop.old', stale: true, enabled: false },
    );
    await page.goto('features');
    await ui.openFilters();
    const state = ui.filters.getByRole('group', { name: 'State' }).getByText('Off');
    await clickTogether(page, state, ui.filters.getByRole('group', { name: 'Status' }).getByText('Stale'));
    await ui.expectNames('shop.old');
    expect(parametersOf(page)).toEqual({ state: 'off', status: 'stale' });
    await clickTogether(page, ui.sortButton('Created'), page.getByRole('radio', { name: 'Last hour' }));
    await expect(ui.columnHeader('Created')).toHaveAttribute('aria-sort', 'descending');
    expect(parametersOf(page)).toEqual({ state: 'off', status: 'stale', sort: 'created', interval: 'hour' });
  });

  test('both remove a tag', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' }, { name: 'shop.old' });
    await page.goto('features?tag=simple:winter&tag=simple:spring&tag=simple:summer');
    await expect(ui.activeFilters).toHaveCount(3);
    const cross = (tag: string) => page.getByRole('button', { name: `Remove filter: simple: ${tag}`, exact: true });
    await clickTogether(page, cross('winter'), cross('summer'));
    await expect(ui.activeFilters).toHaveText(['simple: spring']);
  });

  test('both apply to the history', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await flags.update('shop.basket', { description: 'Large' });
    await page.goto('history');
    await expect(entries(ui)).toHaveCount(2);
    const users = page.getByLabel('Changed by');
    const user = (await users.locator('option').nth(1).getAttribute('value')) ?? '';
    await selectTogether(page, [page.getByLabel('Type', { exact: true }), 'feature-updated'], [users, user]);
    await expect(entries(ui)).toHaveCount(1);
    expect(parametersOf(page)).toEqual({ type: 'feature-updated', user });
  });
});

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

test.describe('a stored search', { tag: '@embedded' }, () => {
  const TAG = { type: 'simple', value: 'winter' };

  test.beforeEach(async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' }, { name: 'login.passkeys' }, { name: 'login.old', enabled: false });
    await flags.post('admin/features/shop.basket/tags', TAG);
    await page.goto('features');
    await ui.search.fill('login');
    await ui.search.press('Enter');
    await ui.sortBy('Created');
    await ui.expectNames('login.old', 'login.passkeys');
  });

  test('is not combined with the filters of a URL [S3-037]', async ({ page, ui }) => {
    await page.goto('tags');
    await page.getByRole('link', { name: / tagged simple: winter$/ }).click();
    await ui.expectNames('shop.basket');
    await expect(ui.main.getByText('1 of 3')).toBeVisible();
    await expect(ui.search).toHaveValue('');
    await expect(ui.columnHeader('Name')).toHaveAttribute('aria-sort', 'ascending');
    // Removing the only filter shows everything, not the stored search.
    await ui.removeFilter('simple: winter');
    await ui.expectNames('login.old', 'login.passkeys', 'shop.basket');
  });

  test('is not combined with the URL of the archive [S3-037]', async ({ page, ui, flags }) => {
    for (const name of ['login.gone', 'shop.gone']) {
      await flags.create({ name });
      await flags.archive(name);
    }
    await page.goto('archive');
    await ui.expectNames('login.gone');
    await page.goto('archive?filter=shop');
    await ui.expectNames('shop.gone');
    await expect(ui.columnHeader('Name')).toHaveAttribute('aria-sort', 'ascending');
    await page.goto('archive?interval=hour');
    await ui.expectNames('login.gone', 'shop.gone');
    await expect(ui.search).toHaveValue('');
  });

  test('applies to a URL without filters, and stays when a filter is added [S3-037]', async ({ page, ui }) => {
    await ui.menu.getByRole('link', { name: 'Event history' }).click();
    await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
    await ui.expectNames('login.old', 'login.passkeys');
    expect(parametersOf(page)).toEqual({});
    await ui.openFilters();
    await ui.filters.getByRole('group', { name: 'State' }).getByText('Off').click();
    await ui.expectNames('login.old');
    expect(parametersOf(page)).toEqual({ filter: 'login', sort: 'created', state: 'off' });
    await page.reload();
    await ui.expectNames('login.old');
  });
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

  for (const [how, open] of [
    ['by the link', (page: Page) => page.getByRole('link', { name: 'New toggle' }).first().click()],
    [
      'by the palette',
      async (page: Page) => {
        await page.keyboard.press('Control+k');
        await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
        await page.keyboard.type('new toggle');
        await page.getByRole('option', { name: 'New toggle' }).click();
      },
    ],
    [
      'by keys',
      async (page: Page) => {
        // The shortcuts are loaded when the browser is idle.
        await expect(async () => {
          await page.keyboard.press('g');
          await page.keyboard.press('n');
          await expect(page.getByLabel('Name', { exact: true })).toBeVisible(ONE_TRY);
        }).toPass();
      },
    ],
  ] as const) {
    test(`is the project in the URL of the list for a new toggle that is created ${how} [S4-007]`, async ({
      page,
      ui,
      flags,
    }) => {
      await page.goto('features?project=web');
      await ui.expectNames('shop.page');
      await open(page);
      await expect(page.getByLabel('Project')).toHaveValue('web');
      await page.reload();
      await createWithDefaults({ page, ui, flags }, 'web');
    });
  }

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
