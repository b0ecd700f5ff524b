// Read-only pages. The controls and forms of users with few permissions: src/testing/formPermissions.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test.describe('a user', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  test('without UPDATE_FEATURE sees the reason once on each tab of a toggle [S2-055] [S6-005]', async ({
    page,
    ui,
    stub,
  }) => {
    const variants = [
      { name: 'blue', weight: 500, weightType: 'variable' },
      { name: 'green', weight: 500, weightType: 'variable' },
    ];
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '25' } }];
    const body = { version: 1, features: [toggle('shop.basket', { description: 'Small', strategies, variants })] };
    stub.respond('GET /api/admin/features', { body });
    stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: ['CREATE_FEATURE'] } });
    const reason = 'You need the permission UPDATE_FEATURE for this.';
    for (const [tab, disabled] of [
      ['strategies', /^Toggle type/],
      ['view', /^Toggle type/],
      ['variants', 'Edit blue'],
      ['history', /^Toggle type/],
    ] as const) {
      await page.goto(`features/${tab}/shop.basket`);
      const note = page.getByText(reason, { exact: true });
      await expect(note).toHaveCount(1);
      const [noteBox, tabBox] = await Promise.all([note.boundingBox(), ui.tab('Activation').boundingBox()]);
      expect(noteBox?.y).toBeGreaterThan(tabBox?.y ?? 0);
      expect(noteBox?.y).toBeLessThan((tabBox?.y ?? 0) + 80);
      const control = ui.main.getByRole('button', { name: disabled });
      await expect(control).toHaveAccessibleDescription(reason);
      await control.hover();
      await expect(note).toHaveCount(1);
    }
    // Another reason is shown at its action.
    await ui.openToggleMenu();
    const archive = page.getByRole('menuitem', { name: 'Archive' });
    await expect(archive).toContainText('You need the permission DELETE_FEATURE for this.');
  });
});
