// Context fields, on both services.

import type { ContextField } from '../src/api/generated/types';
import { tabTo } from './support/access';
import { expect, stubTest, test } from './support/fixtures';
import type { Flags } from './support/flags';

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

test('lists the fields in their order, the built-in ones marked, in no menu [S2-017] [S3-020] [S7-049]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/context', { ...REGION, name: 'last', sortOrder: 9 });
  await flags.post('admin/context', { ...REGION, name: 'fifth', sortOrder: 5 });
  await flags.post('admin/context', REGION);
  await page.goto('context');
  await expect(page).toHaveTitle('Context fields - Flagdeck');
  // The order of the places: environment 0, then 1, then 1 or 2.
  await expect(ui.main.getByRole('rowheader').first()).toContainText('environment');
  await expect(ui.main.getByRole('rowheader')).toHaveCount(6);
  // Created in the opposite order.
  await expect(ui.main.getByRole('rowheader').nth(4)).toContainText('fifth');
  await expect(ui.main.getByRole('rowheader').nth(5)).toContainText('last');
  for (const name of ['environment', 'userId', 'appName']) await expect(ui.row(name)).toContainText('Built-in');
  await expect(ui.row('region')).toContainText('eu · us');
  await expect(ui.row('region')).toContainText('Sticky');
  await expect(ui.row('region')).not.toContainText('Built-in');
  await expect(ui.menu.getByRole('link', { name: /context/i })).toHaveCount(0);
});

test('a constraint leads to the fields', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const constraints = [{ contextName: 'environment', operator: 'IN', values: ['dev'] }];
  await flags.create({ name: 'shop.basket', strategies: [{ name: 'default', parameters: {}, constraints }] });
  await ui.openActivation('shop.basket');
  await ui.main.getByRole('link', { name: 'All context fields' }).click();
  await expect(page).toHaveURL(/\/context$/);
});

test('creates one [S2-018] [S2-095] [S3-019] [S5-023] [S5-025] [S7-050]', async ({ page, ui, flags, backend }) => {
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
  // Typed, and not added: it is meant all the same.
  await value.fill('us');
  await page.getByLabel('Allow stickiness').check();
  await page.getByLabel('Sort order').fill('7');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/context$/);
  await expect(ui.row('region')).toContainText('Where');
  expect(await stored(flags)).toMatchObject({
    description: 'Where',
    // A real server keeps them with commas between, whatever they hold.
    legalValues: backend === 'upstream' ? ['eu', 'North', ' Pole', 'us'] : ['eu', 'North, Pole', 'us'],
    stickiness: true,
    sortOrder: 7,
  });

  // The flexibleRollout strategy may stick to it.
  await page.goto('features/create');
  await ui.nameField.fill('shop.basket');
  await ui.addStrategy('flexibleRollout');
  await expect(ui.strategy('flexibleRollout').getByLabel('Stickiness').getByText('region')).toBeAttached();
});

test('asks the server about a new name when its field is left [S5-024] [S7-052]', async ({ page, ui }) => {
  await page.goto('context/create');
  for (const [name, message] of [
    ['userId', /already.*context field|context field.*already/],
    ['a/b', /URL friendly/],
  ] as const) {
    const asked = page.waitForRequest('**/api/admin/context/validate');
    await ui.nameField.fill(name);
    await ui.nameField.blur();
    expect((await asked).postDataJSON()).toEqual({ name });
    await expect(ui.nameField).toHaveAccessibleDescription(message);
  }
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/context\/create$/);
});

test('edits one under the same title, without asking about its name [S2-018] [S2-096] [S5-026] [S7-051]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/context', REGION);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
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
  expect(await stored(flags)).toMatchObject({
    ...REGION,
    description: 'Of the customer',
    legalValues: ['us'],
    stickiness: false,
  });
  expect(asked.filter((url) => url.endsWith('/validate'))).toEqual([]);
});

test('keeps what somebody else did to it meanwhile, and asks before it replaces that', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/context', REGION);
  await page.goto('context/edit/region');
  await page.getByLabel('Description').fill('Mine');
  await flags.put('admin/context/region', { ...REGION, description: 'Theirs', legalValues: ['eu', 'us', 'as'] });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(ui.main.getByRole('alert')).toContainText('someone else changed the description to “Theirs”');
  expect(await stored(flags)).toMatchObject({ description: 'Theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/context$/);
  expect(await stored(flags)).toMatchObject({ description: 'Mine', legalValues: ['eu', 'us', 'as'] });
});

test('removes one after a question that names the toggles which use it [S8-039] [S7-051]', async ({
  page,
  ui,
  flags,
}) => {
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

test('one that is not there says so', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('context/edit/nosuch');
  await expect(ui.main).toContainText('Could not find the context field');
  await ui.main.getByRole('link', { name: 'All context fields' }).click();
  await expect(ui.row('userId')).toBeVisible();
});

test('creating, editing and removing need no mouse', { tag: '@embedded' }, async ({ page, ui }) => {
  const { keyboard } = page;
  await page.goto('context');
  await tabTo(ui.main.getByRole('link', { name: 'New context field' }));
  await keyboard.press('Enter');
  await tabTo(ui.nameField);
  await keyboard.type('region');
  await tabTo(page.getByLabel('Legal values'));
  await keyboard.type('eu');
  await keyboard.press('Enter');
  await tabTo(page.getByRole('button', { name: 'Create' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/context$/);
  await tabTo(ui.row('region').getByRole('link', { name: 'Edit region' }));
  await keyboard.press('Enter');
  await tabTo(page.getByLabel('Description'));
  await keyboard.type('Where');
  await tabTo(page.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(ui.row('region')).toContainText('Where');
  await tabTo(ui.row('region').getByRole('button', { name: 'Remove region' }));
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('button', { name: 'Remove' }));
  await keyboard.press('Enter');
  await expect(ui.row('region')).toHaveCount(0);
});

stubTest.describe('where the server has its own mind', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => {
    stub.answer('GET /api/admin/context', { body: [{ ...REGION, more: 'kept' }] });
  });

  stubTest('a save that fails says why, and nothing typed is lost [S8-023]', async ({ page, ui, stub }) => {
    stub.answer('POST /api/admin/context/validate', { status: 200 });
    stub.answer('POST /api/admin/context', { status: 500 });
    await page.goto('context/create');
    await ui.nameField.fill('plan');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main.locator('form > [role=alert]')).toContainText('status 500');
    await expect(ui.nameField).toHaveValue('plan');
  });

  stubTest('an edit keeps the fields that the console does not know [S8-023]', async ({ page, ui, stub }) => {
    stub.answer('PUT /api/admin/context/region', { status: 403 });
    await page.goto('context/edit/region');
    await page.getByLabel('Description').fill('Of the customer');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(ui.main.locator('form > [role=alert]')).toHaveText('You cannot perform this action');
    expect(stub.called('PUT /api/admin/context/region')[0]?.body).toEqual({
      ...REGION,
      description: 'Of the customer',
      more: 'kept',
    });
  });

  stubTest('an edit begins with what is stored, also after a list of long ago', async ({ page, ui, stub }) => {
    await page.clock.install();
    await page.goto('context');
    await expect(ui.row('region')).toContainText('Where');
    stub.answer('GET /api/admin/context', { body: [{ ...REGION, description: 'Theirs' }] });
    await page.clock.fastForward(10_000);
    await ui.row('region').getByRole('link', { name: 'Edit region' }).click();
    await expect(page.getByLabel('Description')).toHaveValue('Theirs');
    // From the first touch on it stays as it is.
    await page.getByLabel('Description').fill('Mine');
    stub.answer('GET /api/admin/context', { body: [{ ...REGION, description: 'Theirs again' }] });
    await page.clock.fastForward(60_000);
    const read = page.waitForResponse('**/api/admin/context');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await read;
    await expect(page.getByLabel('Description')).toHaveValue('Mine');
    stub.answer('PUT /api/admin/context/region', { status: 200 });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(ui.main.getByRole('alert')).toContainText('someone else changed the description to “Theirs again”');
  });

  stubTest('a removal that fails is told in the dialog [S8-023]', async ({ page, ui, stub }) => {
    stub.answer('DELETE /api/admin/context/region', { status: 500 });
    await page.goto('context');
    await ui.row('region').getByRole('button', { name: 'Remove region' }).click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(ui.dialog.getByRole('alert')).toContainText('status 500');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.row('region')).toBeVisible();
  });

  stubTest(
    'a list that cannot be read can be tried again; an empty one teaches [S8-023]',
    async ({ page, ui, stub }) => {
      stub.answer('GET /api/admin/context', { status: 418, body: { message: 'No' } });
      await page.goto('context');
      await expect(ui.main).toContainText('The context fields could not be loaded');
      stub.answer('GET /api/admin/context', { body: [] });
      await ui.main.getByRole('button', { name: 'Retry' }).click();
      await expect(ui.main).toContainText('No context fields');
    },
  );
});
