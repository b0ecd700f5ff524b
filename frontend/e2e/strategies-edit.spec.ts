// Editing a strategy definition, including concurrent changes of other users.

import { expect, test } from './support/fixtures';
import {
  BY_REGION,
  definitionOf,
  parameter,
  register,
  SHARE,
  section,
  waitForApplications,
} from './support/strategies';

test.describe('an edit', () => {
  test.beforeEach(({ flags }) => flags.post('admin/strategies', BY_REGION));

  test('shows a warning, replaces the definition and opens it [S2-010] [S2-075] [S4-013] [S5-022] [S7-045]', async ({
    page,
    ui,
    flags,
  }) => {
    await page.goto('strategies/view/byRegion');
    const tab = (name: 'Details' | 'Edit') =>
      page.getByRole('navigation', { name: 'Strategy tabs' }).getByRole('link', { name });
    await tab('Edit').click();
    await expect(page).toHaveURL(/\/strategies\/edit\/byRegion$/);
    await expect(tab('Edit')).toHaveAttribute('aria-current', 'page');
    await tab('Details').click();
    await expect(page).toHaveURL(/\/strategies\/view\/byRegion$/);
    await expect(ui.row('regions')).toContainText('list');
    await tab('Edit').click();
    await expect(ui.main).toContainText(
      'Be carefull! Changing a strategy definition might also require changes to the implementation in the clients.',
    );
    await expect(ui.nameField).toHaveValue('byRegion');
    await expect(ui.nameField).not.toBeEditable();
    await page.getByLabel('Description', { exact: true }).fill('Elsewhere');
    await ui.main.getByRole('button', { name: 'Move parameter 2 up' }).click();
    await expect(ui.main.getByRole('button', { name: 'Move parameter 1 up' })).toBeFocused();
    await parameter(ui, 1).getByLabel('Required').check();
    await parameter(ui, 2).getByRole('button', { name: 'Remove parameter 2' }).click();
    await expect(parameter(ui, 1).getByLabel('Parameter name')).toBeFocused();
    await expect(ui.main).toContainText('Removed: regions');
    await ui.main.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/strategies\/view\/byRegion$/);
    await expect(ui.row('share')).toContainText('Required');
    await expect(ui.row('regions')).toHaveCount(0);
    await expect
      .poll(() => definitionOf(flags, 'byRegion'))
      .toMatchObject({ description: 'Elsewhere', parameters: [{ ...SHARE, required: true }] });
  });

  test('shows the usage beside the form', { tag: '@embedded' }, async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'byRegion', parameters: {} }] });
    await register(flags, 'mobile', 'default');
    await waitForApplications(flags, 1);
    await page.goto('strategies/edit/byRegion');
    const aside = ui.main.getByRole('complementary', { name: 'Usage' });
    await expect(section(aside, 'Toggles using it').getByRole('link')).toHaveText(['shop.basket']);
    await expect(section(aside, 'Applications without it').getByRole('link')).toHaveText(['mobile']);
  });

  test('warns before it overwrites a change of another user to the same field', { tag: '@embedded' }, async ({
    page,
    ui,
    flags,
  }) => {
    const mine = page.getByLabel('Description', { exact: true });
    const save = ui.main.getByRole('button', { name: 'Save' });
    const conflict = page.getByRole('dialog', { name: 'This strategy changed while you were editing' });
    await page.goto('strategies/edit/byRegion');
    await mine.fill('Mine');
    await flags.put('admin/strategies/byRegion', { ...BY_REGION, description: 'Theirs' });
    await save.click();
    await expect(conflict.getByRole('radio', { name: 'Your version' })).toHaveAccessibleName(
      /description “In some regions” → “Mine”/,
    );
    await expect(conflict.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(
      /description “In some regions” → “Theirs”/,
    );
    await conflict.getByRole('button', { name: 'Keep editing' }).click();
    await expect(conflict).toBeHidden();
    await expect(mine).toHaveValue('Mine');
    expect(await definitionOf(flags, 'byRegion')).toMatchObject({ description: 'Theirs' });

    await save.click();
    await expect(conflict).toContainText('“Theirs”');
    await flags.put('admin/strategies/byRegion', { ...BY_REGION, description: 'Theirs again', parameters: [SHARE] });
    await ui.saveMerged('Your version');
    await expect(conflict).toContainText('“Theirs again”');
    await expect(conflict.getByRole('group')).toHaveCount(1);
    expect(await definitionOf(flags, 'byRegion')).toMatchObject({ description: 'Theirs again' });
    await ui.saveMerged('Your version');
    await expect(page).toHaveURL(/\/strategies\/view\/byRegion$/);
    await expect
      .poll(() => definitionOf(flags, 'byRegion'))
      .toMatchObject({ description: 'Mine', parameters: [SHARE] });
  });

  test('of a strategy that another user deleted can create it again', async ({ page, ui, flags }) => {
    await page.goto('strategies/edit/byRegion');
    await page.getByLabel('Description', { exact: true }).fill('Mine');
    await flags.remove('admin/strategies/byRegion');
    await ui.main.getByRole('button', { name: 'Save' }).click();
    await expect(ui.dialog).toContainText('This strategy was deleted while you were editing');
    await ui.dialog.getByRole('button', { name: 'Create it again' }).click();
    await expect(page).toHaveURL(/\/strategies\/view\/byRegion$/);
    await expect.poll(() => definitionOf(flags, 'byRegion')).toMatchObject({ ...BY_REGION, description: 'Mine' });
  });
});
