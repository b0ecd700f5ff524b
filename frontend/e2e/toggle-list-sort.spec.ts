// Sorting the toggle list on phones. The sort orders: src/features/toggles/list/listPage.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
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

test.describe('on a phone', { tag: '@stub' }, () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the sort order, the interval and the project are in the Filter panel [S2-034] [S2-036]', async ({
    page,
    ui,
    stub,
  }) => {
    const projects = ['default', 'web'].map((id) => ({ id, name: id, description: '' }));
    stub.respond('GET /api/admin/projects', { body: { version: 1, projects } });
    await page.goto('features');
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
});
