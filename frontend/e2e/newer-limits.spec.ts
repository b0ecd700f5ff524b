// Explanations of properties that newer servers do not store or do not return.

import { expect } from './support/fixtures';
import { newerTest as test } from './support/newerServer';
import { toggle } from './support/stubUpstream';

const GONE = toggle('shop.gone', { enabled: false, strategies: [], strategiesKnown: false });

test.describe('a newer server', { tag: '@stub' }, () => {
  test('lists archived toggles without strategies, which their page explains', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/archive/features', { body: { version: 1, features: [GONE] } });
    await page.goto('archive/strategies/shop.gone?environment=production');
    await expect(ui.main).toContainText('This server lists archived toggles without them.');
    await expect(ui.main).not.toContainText('No strategies');
    await ui.tab('Variants').click();
    await expect(ui.main).toContainText('This server lists archived toggles without them.');
    await expect(ui.main).not.toContainText('No variants');
    await ui.tab('Metrics').click();
    await expect(ui.section('Strategies')).toHaveText(/This server lists archived toggles without their strategies\.$/);
  });

  test('lists archived toggles without strategies, which the usage of a strategy explains', async ({
    page,
    ui,
    stub,
  }) => {
    const definition = { name: 'byRegion', description: '', editable: true, parameters: [] };
    stub.respond('GET /api/admin/strategies', { body: { version: 1, strategies: [definition] } });
    stub.respond('GET /api/admin/archive/features', { body: { version: 1, features: [GONE] } });
    await page.goto('strategies/view/byRegion?environment=production');
    await expect(ui.main.getByRole('region', { name: 'Toggles using it' })).toContainText(
      'Without archived toggles: this server lists them without their strategies.',
    );
  });

  for (const [sortOrderInEdit, limit] of [
    ['reset', 'This server sets the sort order to 0 with every edit.'],
    ['ignored', 'This server does not change the sort order in an edit.'],
  ] as const) {
    test.describe(sortOrderInEdit, () => {
      test.use({ capabilities: { sortOrderInEdit } });

      test('explains the sort order of a context field', async ({ page, stub }) => {
        stub.respond('GET /api/admin/context', { body: [{ name: 'region', description: '', sortOrder: 3 }] });
        await page.goto('context/edit/region?environment=production');
        await expect(page.getByLabel('Sort order')).toHaveAccessibleDescription(limit);
        await page.goto('context/create?environment=production');
        await expect(page.getByLabel('Sort order')).not.toHaveAccessibleDescription(limit);
      });
    });
  }
});
