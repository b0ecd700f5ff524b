// Context fields: the list, creating, editing and removing.

import type { ContextField } from '../src/api/generated/types';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { hasEnvironments } from './support/versions';

const REGION = {
  name: 'region',
  description: 'Where',
  legalValues: ['eu', 'us'],
  stickiness: true,
  sortOrder: 1,
};

async function stored(flags: Flags, name = 'region'): Promise<ContextField | undefined> {
  return (await flags.get<ContextField[]>('admin/context')).find((field) => field.name === name);
}

test('lists the fields by sort order, marks built-in ones, and is not in the menu [S2-017] [S3-020] [S7-049]', {
  tag: ['@context-order', '@reach'],
}, async ({ page, ui, flags }) => {
  const builtIn = (await flags.get<ContextField[]>('admin/context')).length;
  await flags.post('admin/context', { ...REGION, name: 'last', sortOrder: 9 });
  await flags.post('admin/context', { ...REGION, name: 'fifth', sortOrder: 5 });
  await flags.post('admin/context', REGION);
  await page.goto('context');
  await expect(page).toHaveTitle('Context fields - Flagdeck');
  // By sort order: environment has 0, then 1, then 1 or 2.
  await expect(ui.main.getByRole('rowheader').first()).toContainText('environment');
  await expect(ui.main.getByRole('rowheader')).toHaveCount(builtIn + 3);
  // Created in the opposite order.
  await expect(ui.main.getByRole('rowheader').nth(-2)).toContainText('fifth');
  await expect(ui.main.getByRole('rowheader').last()).toContainText('last');
  for (const name of ['environment', 'userId', 'appName']) await expect(ui.row(name)).toContainText('Built-in');
  await expect(ui.row('region')).toContainText('eu · us');
  await expect(ui.row('region')).toContainText('Sticky');
  await expect(ui.row('region')).not.toContainText('Built-in');
  await expect(ui.menu.getByRole('link', { name: /context/i })).toHaveCount(0);
});

test('a constraint creates a context field in a dialog, and uses it', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const constraints = [{ contextName: 'environment', operator: 'IN', values: ['dev'] }];
  await flags.create({ name: 'shop.basket', strategies: [{ name: 'default', parameters: {}, constraints }] });
  await ui.activation.open('shop.basket');
  await ui.activation.constraintSentence('default').click();
  const field = ui.activation.constraint('default').getByLabel('Context field');
  await field.focus();
  await field.selectOption('New context field…');
  await expect(ui.dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('country');
  await page.keyboard.press('Enter');
  await expect(ui.dialog).toBeHidden();
  await expect(field).toHaveValue('country');
  await expect(field).toBeFocused();
});

test('creates a context field [S2-018] [S2-095] [S3-019] [S5-023] [S5-025] [S7-050]', {
  tag: '@context-order',
}, async ({ page, ui, flags, backend, version }) => {
  await page.goto('context');
  await ui.main.getByRole('link', { name: 'New context field' }).click();
  await expect(page).toHaveURL(/\/context\/create$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create context field');
  await ui.nameField.pressSequentially(' reg ion');
  await expect(ui.nameField).toHaveValue('region');
  await page.getByLabel('Description').fill('Where');
  const value = page.getByLabel('Legal values');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toBeDisabled();
  await value.fill('eu');
  await add.click();
  await expect(value).toHaveValue('');
  await value.fill('North, Pole');
  await value.press('Enter');
  await value.fill(' eu ');
  await value.press('Enter');
  await expect(value).toHaveAccessibleDescription(/Duplicate legal value/);
  await expect(add).toBeDisabled();
  await expect(value).toHaveValue(' eu ');
  await value.fill('as');
  await add.click();
  const added = ui.main.getByRole('list', { name: 'Added values' }).getByRole('listitem');
  await expect(added).toHaveText(['eu', 'North, Pole', 'as']);
  await page.getByRole('button', { name: 'Remove as' }).click();
  await expect(added).toHaveText(['eu', 'North, Pole']);
  // A value that was typed but not added is saved as well.
  await value.fill('us');
  await page.getByLabel('Allow stickiness').check();
  await page.getByLabel('Sort order').fill('7');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/context$/);
  await expect(ui.row('region')).toContainText('Where');
  expect(await stored(flags)).toMatchObject({
    description: 'Where',
    // A server without environments stores the values separated by commas, so it splits a value that contains one.
    legalValues:
      backend === 'upstream' && !hasEnvironments(version)
        ? ['eu', 'North', ' Pole', 'us']
        : ['eu', 'North, Pole', 'us'],
    stickiness: true,
    sortOrder: 7,
  });

  // The flexibleRollout strategy offers the new field for stickiness.
  await page.goto('features/create');
  await ui.nameField.fill('shop.basket');
  await ui.activation.addStrategy('flexibleRollout');
  await ui.activation.openDetails('flexibleRollout');
  await expect(ui.activation.strategy('flexibleRollout').getByLabel('Stickiness').getByText('region')).toBeAttached();
});

test('validates a new name on the server when its field loses focus [S5-024] [S7-052]', async ({ page, ui }) => {
  await page.goto('context/create');
  for (const [name, message] of [
    ['userId', /already.*context field|context field.*already/],
    ['a/b', /URL friendly/],
  ] as const) {
    const validated = page.waitForRequest('**/api/admin/context/validate');
    await ui.nameField.fill(name);
    await ui.nameField.blur();
    expect((await validated).postDataJSON()).toEqual({ name });
    await expect(ui.nameField).toHaveAccessibleDescription(message);
  }
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/context\/create$/);
});

test('edits a field under the same title, without validating its name [S2-018] [S2-096] [S5-026] [S7-051]', {
  tag: '@context-order',
}, async ({ page, ui, flags }) => {
  await flags.post('admin/context', REGION);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('context');
  await ui.row('region').getByRole('link', { name: 'Edit region' }).click();
  await expect(page).toHaveURL(/\/context\/edit\/region$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create context field');
  await expect(ui.nameField).toHaveValue('region');
  await expect(ui.nameField).not.toBeEditable();
  await ui.nameField.focus();
  await page.getByLabel('Description').fill('Of the customer');
  await page.getByRole('button', { name: 'Remove eu' }).click();
  await page.getByLabel('Allow stickiness').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/context$/);
  await expect(ui.row('region')).toContainText('Of the customer');
  const { sortOrder: _, ...expected } = { ...REGION, description: 'Of the customer', stickiness: false };
  expect(await stored(flags)).toMatchObject({ ...expected, legalValues: ['us'] });
  expect(requests.filter((url) => url.endsWith('/validate'))).toEqual([]);
});

test('an edit stores the sort order [S7-051]', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.post('admin/context', REGION);
  await page.goto('context/edit/region');
  await page.getByLabel('Description').fill('Of the customer');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(ui.row('region')).toContainText('Of the customer');
  expect(await stored(flags)).toMatchObject({ ...REGION, description: 'Of the customer' });
  await ui.row('region').getByRole('link', { name: 'Edit region' }).click();
  await page.getByLabel('Sort order').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/context$/);
  expect(await stored(flags)).toMatchObject({ sortOrder: 7 });
});

test('removes a field after a confirmation that lists the toggles using it [S8-039] [S7-051]', {
  tag: '@used-fields',
}, async ({ page, ui, flags }) => {
  await flags.post('admin/context', REGION);
  const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu'] }];
  await flags.create(
    { name: 'shop.basket', strategies: [{ name: 'default', parameters: {}, constraints }] },
    { name: 'shop.other' },
  );
  await page.goto('context');
  const remove = ui.row('region').getByRole('button', { name: 'Remove region' });
  await remove.click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this context field?');
  await expect(ui.dialog).toContainText('shop.basket');
  await expect(ui.dialog).not.toContainText('shop.other');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.row('region')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Context fields' })).toBeFocused();
  expect(await stored(flags)).toBeUndefined();
});
