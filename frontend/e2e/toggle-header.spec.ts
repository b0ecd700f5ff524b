// The header of a toggle: description, type, project, status and permissions.

import { afterRead } from './support/afterRead';
import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test('the description is edited in place [S2-047] [S2-048] [S5-006] [S5-003] [S7-008] [S4-017]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await page.goto('features/strategies/shop.basket');
  await expect(page.getByRole('heading', { name: 'shop.basket' })).toBeVisible();
  await expect(ui.main.getByText('Active', { exact: true })).toBeVisible();
  const field = ui.main.getByRole('textbox', { name: 'Description' });
  const top = async () => (await ui.tab('Activation').boundingBox())?.y;
  const before = await top();
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await expect(field).toBeFocused();
  // The field has the place of the text.
  expect(await top()).toBe(before);
  await field.press('Escape');
  await expect(ui.main.getByRole('button', { name: 'Edit description' })).toBeFocused();
  await page.keyboard.press('Enter');
  await field.fill('  ');
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ui.main.getByRole('alert')).toContainText('Enter a description.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('  A larger basket ');
  await field.press('Enter');
  await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
  await expect(field).toHaveCount(0);
  await expect(ui.main).toContainText('A larger basket');
  await expect(ui.main.getByRole('button', { name: 'Edit description' })).toBeFocused();
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'A larger basket', enabled: true });
});

test('an unsaved description asks for confirmation before leaving, and Cancel discards it', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await page.goto('features/strategies/shop.basket');
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await ui.main.getByRole('textbox', { name: 'Description' }).fill('A larger basket');
  await ui.tab('Metrics').click();
  await ui.stay();
  await expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveValue('A larger basket');
  await ui.main.getByRole('button', { name: 'Cancel' }).click();
  await ui.tab('Metrics').click();
  await expect(page).toHaveURL(/\/features\/view\/shop\.basket$/);
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Small' });
});

test('editing the description keeps changes of other users', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small', type: 'release' });
  await page.goto('features/strategies/shop.basket');
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await flags.update('shop.basket', { type: 'experiment', enabled: false });
  await ui.main.getByRole('textbox', { name: 'Description' }).fill('Large');
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveCount(0);
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Large', type: 'experiment', enabled: false });
});

test('a refused description stays in the field', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await page.goto('features/strategies/shop.basket');
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await ui.main.getByRole('textbox', { name: 'Description' }).fill('A larger basket');
  await page.route('**/api/admin/features/shop.basket', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
  );
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ui.main.getByRole('alert')).toContainText('status 500');
  await expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveValue('A larger basket');
});

test('the type can be changed in place [S2-049]', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', type: 'release' });
  await page.goto('features/strategies/shop.basket');
  await expect(ui.property('Toggle type')).toHaveText('Release');
  await ui.chooseProperty('Toggle type', 'Kill switch');
  await expect(ui.property('Toggle type')).toHaveText('Kill switch');
  expect(await flags.find('shop.basket')).toMatchObject({ type: 'kill-switch' });
});

test('a toggle can be marked as stale and active again [S2-050] [S2-052] [S4-003] [S4-004] [S7-010]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.chooseStatus('Mark toggle as Stale');
  await expect(page.getByText('shop.basket marked as Stale.')).toBeVisible();
  await expect(ui.main.getByText('Stale', { exact: true })).toBeVisible();
  expect((await flags.find('shop.basket'))?.stale).toBe(true);
  await ui.chooseStatus('Set toggle Active');
  await expect(page.getByText('shop.basket marked as Active.')).toBeVisible();
  expect((await flags.find('shop.basket'))?.stale).toBe(false);
});

test('the project can be changed if there are several [S2-049] [S3-018]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await afterRead(page, 'api/admin/projects', () => page.goto('features/strategies/shop.basket'));
  await expect(ui.property('Toggle type')).toBeVisible();
  await expect(ui.property('Project')).toHaveCount(0);
  await flags.post('admin/projects', { id: 'mobile', name: 'Mobile apps', description: '' });
  expect(await flags.find('shop.basket')).toMatchObject({ project: 'default' });
  await page.reload();
  await expect(ui.property('Project')).toHaveText('Default');
  await ui.chooseProperty('Project', 'Mobile apps');
  await expect(ui.property('Project')).toHaveText('Mobile apps');
  expect(await flags.find('shop.basket')).toMatchObject({ project: 'mobile' });
});

const numbered = { id: 's1', name: 'default', parameters: {}, more: 'kept' };
const API = '/api/admin/features/shop.basket';

stubTest.describe('on a server with strategy ids', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => {
    const stored = toggle('shop.basket', { strategies: [numbered], impressionData: true });
    const projects = [
      { id: 'default', name: 'Default', description: '' },
      { id: 'mobile', name: 'Mobile apps', description: '' },
    ];
    stub.respond('GET /api/admin/projects', { body: { version: 1, projects } });
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
    stub.respond(`GET ${API}`, { body: stored });
    stub.respond(`GET ${API}/tags`, { body: { version: 1, tags: [] } });
    stub.respond(`PUT ${API}`, { status: 200 });
  });

  stubTest(
    'changing the project clears the ids, changing the type keeps them [S3-003] [S4-010]',
    async ({ page, ui, stub }) => {
      await page.goto('features/strategies/shop.basket');
      await ui.chooseProperty('Toggle type', 'Kill switch');
      await ui.snackbar.filter({ hasText: 'successfully updated!' }).waitFor();
      await ui.chooseProperty('Project', 'Mobile apps');
      await expect.poll(() => stub.called(`PUT ${API}`).length).toBe(2);
      const [typed, moved] = stub.called(`PUT ${API}`).map(({ body }) => body);
      // Unknown fields are sent back unchanged.
      expect(typed).toMatchObject({ type: 'kill-switch', strategies: [numbered], impressionData: true });
      const { id: _, ...cleared } = numbered;
      expect(moved).toMatchObject({ project: 'mobile', impressionData: true });
      expect((moved as { strategies: unknown }).strategies).toEqual([cleared]);
    },
  );

  stubTest(
    'controls are disabled with a reason without the permission [S6-005] [S6-006] [S6-004]',
    async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
      await page.goto('features/strategies/shop.basket');
      await expect(page.getByRole('heading', { name: 'shop.basket' })).toBeVisible();
      for (const control of [
        ui.property('Toggle type'),
        ui.property('Project'),
        ui.main.getByRole('button', { name: 'Status' }),
        ui.main.getByRole('button', { name: 'Add tag' }),
        ui.main.getByRole('switch', { name: 'Enabled' }),
      ]) {
        await expect(control).toHaveAttribute('aria-disabled', 'true');
        await expect(control).toHaveAttribute('aria-description', /UPDATE_FEATURE/);
      }
      await expect(ui.main.getByRole('button', { name: 'Clone' })).toHaveAttribute(
        'aria-description',
        /CREATE_FEATURE/,
      );
      await expect(ui.main.getByRole('button', { name: 'Edit description' })).toHaveCount(0);
      await ui.openToggleMenu();
      await expect(page.getByRole('menuitem', { name: 'Archive' })).toContainText('DELETE_FEATURE');
      await page.keyboard.press('Escape');
      await ui.property('Toggle type').click({ force: true });
      await expect(page.getByRole('menuitemradio')).toHaveCount(0);
    },
  );
});
