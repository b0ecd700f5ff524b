// Controls that the console offers users according to their permissions.

import { afterRead } from './support/afterRead';
import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test.describe('a user', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    stub.respond('GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
  });

  test('without any permission sees everything as read-only [S2-038] [S6-002] [S6-004] [S6-005] [S6-006]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
    await afterRead(page, 'api/admin/user', () => page.goto('features'));
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await page.goto('features/strategies/shop.basket');
    await expect(page.getByRole('heading', { name: 'shop.basket' })).toBeVisible();
    await expect(ui.main.getByRole('switch')).toBeDisabled();
    await expect(ui.main.getByRole('button', { name: 'Archive' })).toHaveAccessibleDescription(
      'You need the permission DELETE_FEATURE for this.',
    );
    await afterRead(page, 'api/admin/user', () => page.goto('features/strategies/no.such.toggle'));
    await expect(ui.main).toContainText('Could not find the toggle');
    await expect(ui.main.getByRole('link', { name: /create/i })).toHaveCount(0);
    await page.goto('archive');
    await expect(ui.row('shop.gone').getByRole('button', { name: /Revive/ })).toBeDisabled();
    await page.goto('features/create#name=shop.new');
    const reason = 'You need the permission CREATE_FEATURE for this.';
    await expect(page.getByRole('button', { name: 'Create', exact: true })).toHaveAccessibleDescription(reason);
    await expect(ui.nameField).toBeDisabled();
    await ui.nameField.press('Enter');
    expect(stub.called('POST /api/admin/features')).toEqual([]);
  });

  const field = { name: 'region', description: '', sortOrder: 1, stickiness: false, legalValues: [] };
  const provider = {
    name: 'webhook',
    displayName: 'Webhook',
    description: '',
    events: ['feature-created'],
    parameters: [],
  };
  const addon = { id: 1, provider: 'webhook', description: '', enabled: true, parameters: {}, events: [] };

  for (const { address, permission, editsFrom } of [
    { address: 'features/create', permission: 'CREATE_FEATURE' },
    { address: 'features/copy/shop.basket', permission: 'CREATE_FEATURE' },
    { address: 'strategies/create', permission: 'CREATE_STRATEGY' },
    { address: 'context/create', permission: 'CREATE_CONTEXT_FIELD' },
    { address: 'context/edit/region', permission: 'UPDATE_CONTEXT_FIELD', editsFrom: ['context', 'Edit region'] },
    { address: 'projects/create', permission: 'CREATE_PROJECT' },
    { address: 'projects/edit/web', permission: 'UPDATE_PROJECT', editsFrom: ['projects', 'Edit web'] },
    { address: 'tag-types/create', permission: 'CREATE_TAG_TYPE' },
    { address: 'tag-types/edit/team', permission: 'UPDATE_TAG_TYPE', editsFrom: ['tag-types', 'Edit team'] },
    { address: 'tags/create', permission: 'CREATE_TAG' },
    { address: 'addons/create/webhook', permission: 'CREATE_ADDON' },
    { address: 'addons/edit/1', permission: 'UPDATE_ADDON', editsFrom: ['addons', 'Edit Webhook 1'] },
  ]) {
    test(`without ${permission} sees ${address} read-only, with the reason at the top`, async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/context', { body: [field] });
      stub.respond('GET /api/admin/projects', { body: { projects: [{ id: 'web', name: 'Web', description: '' }] } });
      stub.respond('GET /api/admin/tag-types', { body: { tagTypes: [{ name: 'team', description: '', icon: 'T' }] } });
      stub.respond('GET /api/admin/addons', { body: { providers: [provider], addons: [addon] } });
      stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
      await page.goto(address);
      const reason = `You need the permission ${permission} for this.`;
      await expect(ui.main.getByText(reason, { exact: true })).toHaveCount(1);
      const fields = ui.main.locator('form').locator('input, textarea, select, button:not([type=submit])');
      expect(await fields.count()).toBeGreaterThan(0);
      for (const one of await fields.all()) await expect(one).toBeDisabled();
      await ui.main.locator('form').getByRole('button').last().hover();
      await expect(page.getByText(reason, { exact: true })).toHaveCount(1);
      await expect(ui.main.locator('form').getByRole('button').last()).toHaveAccessibleDescription(reason);
      if (!editsFrom) return;
      const [list = '', edit = ''] = editsFrom;
      await page.goto(list);
      await expect(ui.main.getByRole('button', { name: edit })).toHaveAccessibleDescription(reason);
      await expect(ui.main.getByRole('link', { name: edit })).toHaveCount(0);
    });
  }

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
      ['strategies', 'Status'],
      ['view', 'Status'],
      ['variants', 'Edit blue'],
      ['history', 'Status'],
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
    // Another reason still has its tooltip.
    await ui.main.getByRole('button', { name: 'Archive' }).hover();
    await expect(page.getByText('You need the permission DELETE_FEATURE for this.')).toBeVisible();
  });

  for (const [description, user] of [
    ['with ADMIN', { email: 'a@example.com', permissions: ['ADMIN'] }],
    ['without a list of permissions', { email: 'a@example.com' }],
    ['of a 4.x server with ADMIN', { user: { username: 'a' }, permissions: [{ permission: 'ADMIN' }] }],
  ] as const) {
    test(`${description} can do everything [S6-002] [S6-003] [S3-032]`, async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/user', { body: user });
      await page.goto('features');
      await expect(page.getByRole('link', { name: 'New toggle' })).toBeVisible();
      await expect(ui.switchOf('shop.basket')).toBeEnabled();
      await page.goto('archive');
      await expect(ui.row('shop.gone').getByRole('button', { name: /Revive/ })).toBeEnabled();
    });
  }

  test('with one permission can do only what it allows [S6-002] [S6-004] [S6-005]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/user', { body: { email: 'a@example.com', permissions: ['CREATE_FEATURE'] } });
    await page.goto('features');
    await expect(page.getByRole('link', { name: 'New toggle' })).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await page.goto('features/strategies/no.such.toggle');
    await ui.main.getByRole('link', { name: /create/i }).click();
    await expect(ui.nameField).toHaveValue('no.such.toggle');
  });
});
