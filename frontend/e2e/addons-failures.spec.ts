// Failures of an addon. All cases: src/features/addons/addonFailures.test.tsx.

import { pager, pagerAddon } from '../src/testing/responses';
import { expect, stubTest } from './support/fixtures';

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/addons', { body: { providers: [pager], addons: [pagerAddon] } });
  });

  stubTest(
    'failures of enabling and removing are shown, and the addon does not change [S8-027]',
    async ({ page, ui, stub }) => {
      const refused = { status: 403, body: { permission: 'UPDATE_ADDON', message: 'You need UPDATE_ADDON' } };
      stub.respond('PUT /api/admin/addons/7', refused);
      stub.respond('DELETE /api/admin/addons/7', { status: 403, body: '' });
      await page.goto('addons');
      await ui.main.getByRole('button', { name: 'Disable Pager 7' }).click();
      await expect(ui.snackbar).toContainText('You need UPDATE_ADDON');
      await expect(ui.main.getByRole('button', { name: 'Disable Pager 7' })).toBeVisible();
      await ui.main.getByRole('button', { name: 'Remove Pager 7' }).click();
      await ui.dialog.getByRole('button', { name: 'Remove' }).click();
      await expect(ui.dialog.getByRole('alert')).toContainText('You cannot perform this action');
    },
  );
});
