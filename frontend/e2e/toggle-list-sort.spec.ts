// Sorting the toggle list and the archive by column headers, by the sort menu, and on phones.

import { expect, stubTest as test } from './support/fixtures';
import { storedSettings } from './support/storage';
import { toggle } from './support/stubUpstream';

const features = [
  toggle('alpha', { enabled: false, createdAt: '2026-01-02T00:00:00.000Z', lastSeenAt: '2026-02-01T00:00:00.000Z' }),
  toggle('bravo', {
    type: 'experiment',
    stale: true,
    createdAt: '2026-01-03T00:00:00.000Z',
    lastSeenAt: '2026-02-02T00:00:00.000Z',
  }),
  toggle('charlie', { createdAt: '2026-01-01T00:00:00.000Z' }),
];

test.beforeEach(({ stub }) => {
  stub.respond('GET /api/admin/features', { body: { version: 1, features } });
  stub.respond('GET /api/admin/archive/features', { body: { version: 1, features } });
  const lastMinute = { bravo: { yes: 5, no: 0 }, charlie: { yes: 7, no: 90 } };
  stub.respond('GET /api/admin/metrics/feature-toggles', { body: { lastHour: {}, lastMinute } });
});

test.describe('a column header', { tag: '@stub' }, () => {
  test('sorts, shows the direction, and reverses the order with the next click [S2-035]', async ({ page, ui }) => {
    await page.goto('features');
    for (const [column, direction, ...names] of [
      ['Created', 'descending', 'bravo', 'alpha', 'charlie'],
      ['Last seen', 'descending', 'bravo', 'alpha', 'charlie'],
      ['Type', 'ascending', 'bravo', 'alpha', 'charlie'],
      ['On', 'descending', 'bravo', 'charlie', 'alpha'],
      ['Yes', 'descending', 'charlie', 'bravo', 'alpha'],
      ['Name', 'ascending', 'alpha', 'bravo', 'charlie'],
    ] as const) {
      await ui.sortButton(column).click();
      await ui.expectNames(...names);
      await expect(ui.columnHeader(column)).toHaveAttribute('aria-sort', direction);
      await expect(page.locator('th[aria-sort]')).toHaveCount(1);
      await ui.sortButton(column).click();
      const opposite = direction === 'ascending' ? 'descending' : 'ascending';
      await expect(ui.columnHeader(column)).toHaveAttribute('aria-sort', opposite);
    }
    await ui.expectNames('charlie', 'bravo', 'alpha');
    await ui.sortButton('Name').press('Enter');
    await ui.expectNames('alpha', 'bravo', 'charlie');
    await expect(ui.sortButton('Name')).toBeFocused();
    expect(new URL(page.url()).search).toBe('');
  });

  test('keeps key and direction in the URL and in the settings [S3-037]', async ({ page, ui }) => {
    await page.goto('features');
    await ui.sortButton('Created').click();
    await ui.sortButton('Created').click();
    await ui.expectNames('charlie', 'alpha', 'bravo');
    await expect(page).toHaveURL(/\?sort=created&order=asc$/);
    await page.reload();
    await ui.expectNames('charlie', 'alpha', 'bravo');
    await expect
      .poll(async () => Object.values(await storedSettings(page)))
      .toEqual([expect.objectContaining({ sort: 'created', reversed: true })]);
    // A URL without parameters uses the settings; the archive shares them.
    await page.goto('features');
    await ui.expectNames('charlie', 'alpha', 'bravo');
    await page.goto('archive');
    await ui.expectNames('charlie', 'alpha', 'bravo');
    await expect(ui.columnHeader('Created')).toHaveAttribute('aria-sort', 'ascending');
    await ui.sortButton('Name').click();
    await ui.expectNames('alpha', 'bravo', 'charlie');
  });
});

test.describe('the sort menu', { tag: '@stub' }, () => {
  test('has keys without a column, shows them, and reverses the order [S2-035]', async ({ page, ui }) => {
    await page.goto('features');
    await ui.sortBy('Stale');
    await ui.expectNames('bravo', 'alpha', 'charlie');
    await expect(page.locator('th[aria-sort]')).toHaveCount(0);
    const menu = page.getByRole('button', { name: /^Sort by/ });
    await expect(menu).toHaveAccessibleName('Sort by: Stale');
    await expect(menu).toHaveText('Stale');
    await ui.sortBy('Stale');
    await ui.expectNames('alpha', 'charlie', 'bravo');
    await menu.click();
    await expect(page.getByRole('menuitemradio')).toHaveText([
      'Name',
      'Type',
      'Enabled',
      'Stale',
      'Created',
      'Last seen',
      'Strategies',
      'Metrics',
    ]);
    await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Stale');
  });
});

test.describe('on a phone', { tag: '@stub' }, () => {
  test.use({ viewport: { width: 360, height: 740 } });

  for (const path of ['features', 'archive']) {
    test(`/${path} has the sort order, the interval and the project in the Filter panel [S2-034] [S2-036]`, async ({
      page,
      ui,
      stub,
    }) => {
      const projects = ['default', 'web'].map((id) => ({ id, name: id, description: '' }));
      stub.respond('GET /api/admin/projects', { body: { version: 1, projects } });
      await page.goto(path);
      await ui.expectNames('alpha', 'bravo', 'charlie');
      await expect(page.getByRole('radio')).toHaveCount(0);
      await expect(page.getByRole('combobox')).toHaveCount(0);
      // Invisible headers must not get the focus.
      await expect(page.getByRole('columnheader').getByRole('button')).toHaveCount(0);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await ui.filters.getByLabel('Sort by').selectOption('Created');
      await ui.expectNames('bravo', 'alpha', 'charlie');
      await expect(ui.filters.getByRole('radio', { name: 'Descending' })).toBeChecked();
      await ui.filters.getByText('Ascending').click();
      await ui.expectNames('charlie', 'alpha', 'bravo');
      await expect(page).toHaveURL(/\?sort=created&order=asc$/);
      await ui.filters.getByText('Last hour').click();
      await expect(ui.ringOf('bravo')).toHaveAccessibleName(/no data/i);
      await ui.filters.getByLabel('Project').selectOption('web');
      await expect(ui.names()).toHaveCount(0);
      // The whole panel can be reached.
      const bottom = async () => {
        const { y = Number.NaN, height = 0 } = (await ui.filters.boundingBox()) ?? {};
        return y + height;
      };
      await expect.poll(bottom).toBeLessThanOrEqual(740);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    });
  }
});
