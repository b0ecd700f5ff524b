// Strategy definitions: permissions, keyboard use and axe violations.

import { axeViolations, LOOKS, tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { BY_REGION, definitionOf, parameter, SHARE } from './support/strategies';
import { signInWith } from './support/users';

test.describe('a user', { tag: ['@embedded', '@ci'] }, () => {
  test.use({ auth: 'password', durable: true });

  test.beforeEach(async ({ context, flagdeck, flags }) => {
    await signInWith(context.request, flagdeck, 'ADMIN');
    await flags.post('admin/strategies', BY_REGION);
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'byMoon', parameters: {} }] });
  });

  for (const [permission, may] of [
    ['CREATE_STRATEGY', { create: true, update: false, remove: false }],
    ['UPDATE_STRATEGY', { create: false, update: true, remove: false }],
    ['DELETE_STRATEGY', { create: false, update: false, remove: true }],
    ['UPDATE_FEATURE', { create: false, update: false, remove: false }],
  ] as const) {
    test(`with ${permission} can do only what it allows [S6-002] [S6-007] [S6-008] [S6-009]`, async ({
      page,
      ui,
      context,
      flagdeck,
    }) => {
      await signInWith(context.request, flagdeck, permission);
      await page.goto('strategies');
      await expect(ui.row('byRegion')).toBeVisible();
      await expect(ui.main.getByRole('link', { name: 'New strategy' })).toHaveCount(may.create ? 1 : 0);
      await expect(ui.main.getByRole('button', { name: 'Deprecate byRegion' })).toBeEnabled({ enabled: may.update });
      await expect(ui.main.getByRole('button', { name: 'Delete byRegion' })).toBeEnabled({ enabled: may.remove });
      await page.goto('strategies/edit/byRegion');
      await expect(page.getByRole('heading', { name: 'byRegion' })).toBeVisible();
      await expect(ui.main.getByRole('link', { name: 'Edit' })).toHaveCount(may.update ? 1 : 0);
      await expect(ui.main.getByRole('button', { name: 'Save' })).toHaveCount(may.update ? 1 : 0);
      if (!may.update) await expect(ui.main).toContainText('You need the permission UPDATE_STRATEGY');
      await page.goto('strategies/create?name=byMoon');
      await expect(ui.main.getByRole('button', { name: 'Create' })).toHaveCount(may.create ? 1 : 0);
      if (!may.create) await expect(ui.main).toContainText('You need the permission CREATE_STRATEGY');
      await page.goto('strategies/view/byMoon');
      await expect(ui.main).toContainText('Strategy not found');
      await expect(ui.main.getByRole('link', { name: 'Create byMoon' })).toHaveCount(may.create ? 1 : 0);
      await page.goto('features/strategies/shop.basket');
      await expect(ui.main).toContainText('The strategy "byMoon" does not exist on this server.');
      await expect(ui.main.getByRole('link', { name: 'Want to create it now?' })).toHaveCount(may.create ? 1 : 0);

      const call = async (method: string, path: string, data?: object) =>
        (await context.request.fetch(`${flagdeck.url}api/admin/${path}`, { method, ...(data && { data }) })).status();
      expect(await call('POST', 'strategies', { name: 'byMoon', parameters: [] })).toBe(may.create ? 201 : 403);
      expect(await call('PUT', 'strategies/byRegion', BY_REGION)).toBe(may.update ? 200 : 403);
      expect(await call('POST', 'strategies/byRegion/deprecate', {})).toBe(may.update ? 200 : 403);
      expect(await call('POST', 'strategies/byRegion/reactivate', {})).toBe(may.update ? 200 : 403);
      expect(await call('DELETE', 'strategies/byRegion')).toBe(may.remove ? 200 : 403);
    });
  }
});

test('defining, editing, deprecating and deleting work with the keyboard alone', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  test.slow();
  const { keyboard } = page;
  await page.goto('strategies');
  await tabTo(ui.main.getByRole('link', { name: 'New strategy' }));
  await keyboard.press('Enter');
  await tabTo(ui.nameField);
  await keyboard.type('byRegion');
  await tabTo(ui.main.getByRole('button', { name: 'Add parameter' }));
  await keyboard.press('Enter');
  await expect(parameter(ui, 1).getByLabel('Parameter name')).toBeFocused();
  await keyboard.type('regions');
  await keyboard.press('Tab');
  await keyboard.type('list');
  await expect(parameter(ui, 1).getByLabel('Type')).toHaveValue('list');
  await tabTo(ui.main.getByRole('button', { name: 'Create' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/strategies$/);

  await tabTo(ui.row('byRegion').getByRole('link'));
  await keyboard.press('Enter');
  await tabTo(ui.main.getByRole('link', { name: 'Edit' }));
  await keyboard.press('Enter');
  await tabTo(ui.main.getByRole('button', { name: 'Add parameter' }));
  await keyboard.press('Enter');
  await keyboard.type('share');
  await tabTo(ui.main.getByRole('button', { name: 'Move parameter 1 down' }));
  await keyboard.press('Enter');
  await expect(ui.main.getByRole('button', { name: 'Move parameter 2 down' })).toBeFocused();
  await tabTo(ui.main.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/strategies\/view\/byRegion$/);
  const names = async () => (await definitionOf(flags, 'byRegion'))?.parameters.map(({ name }) => name);
  await expect.poll(names).toEqual(['share', 'regions']);

  await tabTo(ui.main.getByRole('button', { name: 'Deprecate' }));
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('button', { name: 'Deprecate' }));
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeHidden();
  await expect(ui.main.getByRole('button', { name: 'Reactivate' })).toBeFocused();
  await tabTo(ui.main.getByRole('button', { name: 'Delete' }));
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('button', { name: 'Delete' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/strategies$/);
  await expect.poll(() => definitionOf(flags, 'byRegion')).toBeUndefined();
});

test('axe reports no violations for a form with errors, the confirmations and the conflict dialog', {
  tag: ['@embedded', '@ci'],
}, async ({ page, ui, flags }) => {
  test.setTimeout(120_000);
  await flags.post('admin/strategies', BY_REGION);
  await flags.create({ name: 'shop.basket', strategies: [{ name: 'byRegion', parameters: {} }] });
  for (const [index, { colorScheme, width }] of LOOKS.entries()) {
    const look = `${colorScheme} at ${width}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto('strategies');
    await ui.main.getByRole('button', { name: 'Delete byRegion' }).click();
    await expect(ui.dialog.getByRole('link', { name: 'shop.basket' })).toBeVisible();
    expect(await axeViolations(page), `confirmation, ${look}`).toEqual([]);
    await page.goto('strategies/edit/byRegion');
    await parameter(ui, 2).getByLabel('Parameter name').fill('regions');
    await parameter(ui, 2).getByLabel('Parameter name').blur();
    await expect(ui.main.getByText('A parameter named regions already exists.')).toBeVisible();
    expect(await axeViolations(page), `form, ${look}`).toEqual([]);
    await parameter(ui, 2).getByLabel('Parameter name').fill('part');
    await flags.put('admin/strategies/byRegion', { ...BY_REGION, parameters: [{ ...SHARE, name: `n${index}` }] });
    await ui.main.getByRole('button', { name: 'Save' }).click();
    await expect(ui.dialog).toContainText('This strategy changed while you were editing');
    expect(await axeViolations(page), `conflict, ${look}`).toEqual([]);
    await flags.put('admin/strategies/byRegion', BY_REGION);
    page.once('dialog', (dialog) => dialog.accept());
  }
});
