// Strategy definitions: the list, one definition, and the form for new ones. Failures and links:
// ../src/features/strategies/strategyFailures.test.tsx.

import { expect, test } from './support/fixtures';
import { STORED } from './support/slowdown';
import {
  BY_REGION,
  definitionOf,
  fillParameter,
  parameter,
  REGIONS,
  register,
  SHARE,
  section,
  waitForApplications,
} from './support/strategies';

const byRegion = { name: 'byRegion', parameters: { regions: 'no,se', share: '' } };

test('lists strategies from the menu, with their properties and usage [S2-008] [S2-068] [S2-078] [S3-004] [S3-005] [S7-043]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.post('admin/strategies', BY_REGION);
  await flags.post('admin/strategies', { name: 'byMoon', description: '', parameters: [] });
  await flags.post('admin/strategies/byMoon/deprecate');
  await flags.create({ name: 'shop.basket', strategies: [byRegion] }, { name: 'shop.off' });
  await page.goto('features');
  await ui.menu.getByRole('link', { name: 'Strategies' }).click();
  await expect(page).toHaveURL(/\/strategies$/);
  await expect(page).toHaveTitle('Strategies - Flagdeck');
  await expect(ui.row('byRegion')).toContainText('In some regions');
  await expect(ui.row('byRegion')).toContainText('regions, share');
  await expect(ui.row('byRegion')).toContainText('1 toggle');
  await expect(ui.row('byRegion')).not.toContainText('Built-in');
  await expect(ui.row('byMoon')).toContainText('Deprecated');
  await expect(ui.row('byMoon')).toContainText('Unknown');
  await expect(ui.row('flexibleRollout')).toContainText('Built-in');
  await expect(ui.row('flexibleRollout')).toContainText('rollout, stickiness, groupId');
});

test('defines a strategy with its parameters [S2-009] [S2-072] [S2-073] [S2-074] [S4-012] [S5-020] [S5-021] [S5-023] [S7-044] [S9-015]', async ({
  page,
  ui,
  flags,
}) => {
  await page.goto('strategies');
  await ui.main.getByRole('link', { name: 'New strategy' }).click();
  await expect(page).toHaveURL(/\/strategies\/create$/);
  await expect(page).toHaveTitle('Create - Strategies - Flagdeck');
  await ui.nameField.pressSequentially(' by Region ');
  await expect(ui.nameField).toHaveValue('byRegion');
  await page.getByLabel('Description', { exact: true }).fill(' In some regions ');
  const add = ui.main.getByRole('button', { name: 'Add parameter' });
  await add.click();
  await expect(parameter(ui, 1).getByLabel('Parameter name')).toBeFocused();
  await expect(parameter(ui, 1).getByLabel('Type')).toHaveValue('string');
  await expect(parameter(ui, 1).getByLabel('Parameter description')).toHaveValue('');
  await expect(parameter(ui, 1).getByLabel('Required')).not.toBeChecked();
  const types = parameter(ui, 1).getByLabel('Type').getByRole('option');
  await expect(types).toHaveText(['string', 'percentage', 'list', 'number', 'boolean']);
  await fillParameter(ui, 1, REGIONS);
  await add.click();
  await add.click();
  await fillParameter(ui, 3, SHARE);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await ui.main.getByRole('button', { name: 'Create' }).click();
  expect((await sent).postDataJSON()).toEqual(BY_REGION);
  await expect(page).toHaveURL(/\/strategies$/);
  await expect(ui.row('byRegion')).toContainText('regions, share');
  await expect.poll(() => definitionOf(flags, 'byRegion')).toMatchObject(BY_REGION);
});

test('errors of a new definition are shown at their fields [S8-018]', async ({ page, ui, flags }) => {
  await flags.post('admin/strategies', BY_REGION);
  await page.goto('strategies/create');
  const create = ui.main.getByRole('button', { name: 'Create' });
  await create.click();
  await expect(ui.nameField).toHaveAccessibleDescription(/Enter a name\./);
  await expect(ui.nameField).toBeFocused();
  await ui.nameField.fill('byRegion');
  await create.click();
  await expect(ui.nameField).toHaveAccessibleDescription(/byRegion/);
  await ui.nameField.fill('by/region');
  await create.click();
  await expect(ui.nameField).toHaveAccessibleDescription(/URL friendly/);

  await ui.nameField.fill('byCountry');
  for (const number of [1, 2]) {
    await ui.main.getByRole('button', { name: 'Add parameter' }).click();
    await parameter(ui, number).getByLabel('Parameter name').fill('regions');
  }
  const duplicate = parameter(ui, 2).getByLabel('Parameter name');
  await duplicate.blur();
  await expect(duplicate).toHaveAccessibleDescription('A parameter named regions already exists.');
  await create.click();
  await expect(duplicate).toBeFocused();
  await duplicate.fill('countries');
  await create.click();
  await expect(page).toHaveURL(/\/strategies$/);
  await expect.poll(async () => (await definitionOf(flags, 'byCountry'))?.parameters.length).toBe(2);
});

test('shows the parameters and the usage of a definition [S2-010] [S2-031] [S2-076] [S7-030] [S3-004]', async ({
  page,
  ui,
  flags,
}) => {
  // Some services store applications only every few seconds.
  test.slow();
  await flags.post('admin/strategies', BY_REGION);
  await flags.create({ name: 'shop.basket', strategies: [byRegion] }, { name: 'shop.other' });
  await register(flags, 'shop', 'default', 'byRegion');
  await register(flags, 'mobile', 'default');
  await waitForApplications(flags, 2);
  const requested = page.waitForRequest(/metrics\/applications\?strategyName=byRegion$/);
  await page.goto('strategies');
  await ui.row('byRegion').getByRole('link').click();
  await requested;
  await expect(page).toHaveURL(/\/strategies\/view\/byRegion$/);
  await expect(page).toHaveTitle('byRegion - Strategies - Flagdeck');
  const tabs = page.getByRole('navigation', { name: 'Strategy tabs' });
  await expect(tabs.getByRole('link')).toHaveText(['Details', 'Edit']);
  await expect(tabs.getByRole('link', { name: 'Details' })).toHaveAttribute('aria-current', 'page');
  await expect(ui.main).toContainText('In some regions');
  await expect(ui.row('regions')).toContainText('list');
  await expect(ui.row('regions')).toContainText('Codes of two letters');
  await expect(ui.row('regions')).toContainText('Required');
  await expect(ui.row('share')).toContainText('Optional');
  const toggles = section(ui.main, 'Toggles using it').getByRole('link');
  await expect(toggles).toHaveText(['shop.basket']);
  await expect(section(ui.main, 'Applications using it').getByRole('link')).toHaveText(['shop'], STORED);
  const without = section(ui.main, 'Applications without it').getByRole('link');
  await expect(without).toHaveText(['mobile']);
  await expect(without).toHaveAttribute('href', /\/applications\/mobile$/);
  await toggles.first().click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/);
});
