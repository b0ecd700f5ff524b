// The variants of a toggle, on both services.

import type { Locator } from '@playwright/test';
import { expect, stubTest, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { toggle } from './support/stubUpstream';
import type { Ui } from './support/ui';

const blue = {
  name: 'blue',
  weight: 200,
  weightType: 'fix',
  stickiness: 'userId',
  payload: { type: 'json', value: '{"a":1}' },
  overrides: [{ contextName: 'appName', values: ['web', 'ios'] }],
};
const green = { name: 'green', weight: 400, weightType: 'variable', stickiness: 'userId' };
const red = { name: 'red', weight: 400, weightType: 'variable', stickiness: 'userId' };

const stored = async (flags: Flags) => (await flags.find('shop.basket'))?.variants;
const weights = async (flags: Flags) =>
  Object.fromEntries(((await stored(flags)) ?? []).map(({ name, weight }) => [name, weight]));
const nameOf = (ui: Ui): Locator => ui.dialog.getByLabel('Name', { exact: true });

test('variants are added and share the traffic equally [S2-007] [S2-063] [S3-007] [S3-008] [S3-009] [S5-015] [S7-008] [S9-006] [S1-002]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.tab('Variants').click();
  await expect(page).toHaveURL(/\/features\/variants\/shop\.basket$/);
  await expect(ui.main).toContainText('No variants');
  await ui.addVariant(' blue ');
  await expect(ui.variant('blue')).toContainText('100 %');
  // One variant has nothing to stick to.
  await expect(ui.main.getByLabel('Stickiness')).toHaveCount(0);
  await ui.addVariant('green');
  await ui.addVariant('red');
  for (const name of ['blue', 'green', 'red']) await expect(ui.variant(name)).toContainText(/33\.3 %.*Variable/);
  // The rest that nobody gets.
  await expect(ui.main).toContainText('0.1 % unassigned');
  await expect(
    ui.main.getByRole('img', { name: /^Distribution: blue 33\.3 %, green 33\.3 %, red 33\.3 %$/ }),
  ).toBeVisible();
  expect(await stored(flags)).toMatchObject([
    { name: 'blue', weight: 333, weightType: 'variable', stickiness: 'default' },
    { name: 'green', weight: 333 },
    { name: 'red', weight: 333 },
  ]);
});

test('a fixed weight is taken off first; three decimals and too much are refused in words [S5-012] [S5-013] [S5-014] [S9-007]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', variants: [green, red] });
  await page.goto('features/variants/shop.basket');
  await ui.openVariant('green');
  await ui.dialog.getByText('Fixed weight').click();
  const weight = ui.dialog.getByLabel('Weight in percent');
  for (const [typed, words] of [
    ['12.345', /at most one decimal/],
    ['many', /Enter a number/],
    ['101', /^The traffic distribution total must equal 100%$/],
  ] as const) {
    await weight.fill(typed);
    await ui.saveVariant();
    await expect(ui.dialog.getByRole('alert')).toHaveText(words);
  }
  await weight.fill('12.5');
  await expect(ui.dialog).toContainText('87.5 % each');
  await ui.saveVariant();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variant('green')).toContainText(/12\.5 %.*Fixed/);
  expect(await weights(flags)).toEqual({ green: 125, red: 875 });

  await ui.openVariant('red');
  await ui.dialog.getByText('Fixed weight').click();
  await ui.saveVariant();
  await expect(ui.dialog.getByRole('alert')).toHaveText('There must be atleast one variable variant');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await weights(flags)).toEqual({ green: 125, red: 875 });
});

test('a name is required, and only one variant may have it [S5-010]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', variants: [green, red] });
  await page.goto('features/variants/shop.basket');
  await ui.openVariant();
  await ui.saveVariant();
  await expect(ui.dialog.getByRole('alert')).toHaveText('Name is required');
  await nameOf(ui).fill('green');
  await ui.saveVariant();
  await expect(ui.dialog.getByRole('alert')).toHaveText('A variant named green already exists.');
  // What only the server knows.
  await nameOf(ui).fill('x');
  await ui.saveVariant();
  await expect(ui.dialog.getByRole('alert')).toContainText('length must be at least 2 characters long');
  await expect(nameOf(ui)).toHaveValue('x');
});

test('payload and overrides are edited; an edit keeps everything else [S3-010] [S3-011] [S3-012] [S9-010] [S9-011]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', variants: [blue, green, red] });
  await page.goto('features/variants/shop.basket');
  await expect(ui.variant('blue')).toContainText('{"a":1}');
  await expect(ui.variant('blue')).toContainText('appName: web, ios');
  await ui.openVariant('blue');
  await nameOf(ui).fill('navy');
  await ui.saveVariant();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variant('navy')).toBeVisible();
  expect(await stored(flags)).toEqual([{ ...blue, name: 'navy' }, green, red]);

  await ui.openVariant('green');
  await expect(ui.dialog.getByLabel('Payload type').locator('option')).toHaveText(['string', 'json', 'csv']);
  await ui.dialog.getByLabel('Payload type').selectOption('json');
  const payload = ui.dialog.getByLabel('Payload', { exact: true });
  await payload.fill('{"colour":');
  await ui.saveVariant();
  await expect(ui.dialog.getByRole('alert')).toContainText('Invalid JSON');
  await payload.fill('{"colour":"green"}');
  await ui.dialog.getByRole('button', { name: 'Format' }).click();
  await expect(payload).toHaveValue('{\n  "colour": "green"\n}');
  await ui.dialog.getByRole('button', { name: 'Add override' }).click();
  await expect(ui.dialog.getByLabel('Context field').locator('option')).toHaveText(['userId', 'appName']);
  await ui.saveVariant();
  await expect(ui.dialog.getByRole('alert')).toContainText('Add a value to each override');
  await ui.dialog.getByLabel('Values').fill('ada, grace,ada');
  await ui.saveVariant();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variant('green')).toContainText('userId: ada, grace');
  expect((await stored(flags))?.[1]).toEqual({
    ...green,
    payload: { type: 'json', value: '{\n  "colour": "green"\n}' },
    overrides: [{ contextName: 'userId', values: ['ada', 'grace'] }],
  });
});

test('the group sticks to one thing, which is saved at once [S3-010] [S9-009]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', variants: [green, red] });
  await page.goto('features/variants/shop.basket');
  const stickiness = ui.main.getByRole('combobox', { name: 'Stickiness' });
  await expect(stickiness).toHaveValue('userId');
  await expect(stickiness.locator('option')).toContainText(['default', 'userId', 'sessionId', 'random']);
  await stickiness.selectOption('random');
  await expect(ui.snackbar).toContainText('successfully updated!');
  expect((await stored(flags))?.map((variant) => variant.stickiness)).toEqual(['random', 'random']);
  // A new one joins them.
  await ui.addVariant('blue');
  expect((await stored(flags))?.map((variant) => variant.stickiness)).toEqual(['random', 'random', 'random']);
});

test('removing a variant asks first and shares its part anew', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', variants: [blue, green, red] });
  await page.goto('features/variants/shop.basket');
  const remove = ui.main.getByRole('button', { name: 'Remove red' });
  await remove.click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this variant?');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await stored(flags)).toHaveLength(3);
  await remove.click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variant('red')).toHaveCount(0);
  expect(await weights(flags)).toEqual({ blue: 200, green: 800 });
  // The last one that shares cannot go before the fixed ones.
  await ui.main.getByRole('button', { name: 'Remove green' }).click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.dialog.getByRole('alert')).toHaveText('There must be atleast one variable variant');
  expect(await weights(flags)).toEqual({ blue: 200, green: 800 });
});

test('variants that somebody else changed meanwhile are not overwritten silently', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', variants: [green, red] });
  await page.goto('features/variants/shop.basket');
  await ui.openVariant('green');
  await flags.update('shop.basket', { description: 'Large', variants: [blue, green, red] });
  await nameOf(ui).fill('lime');
  await ui.saveVariant();
  const question = ui.dialog.filter({ hasText: 'shop.basket was changed by' });
  await question.getByRole('radio', { name: 'Saved version' }).check();
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(ui.dialog).toHaveCount(0);
  await expect(ui.variant('blue')).toBeVisible();
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Large', variants: [blue, green, red] });
});

test('closing the window asks while a variant is half typed', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/variants/shop.basket');
  await ui.openVariant();
  await nameOf(ui).fill('blue');
  const asked = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closing;
  await expect(nameOf(ui)).toHaveValue('blue');
});

stubTest.describe('where the server has its own mind', { tag: '@stub' }, () => {
  const API = '/api/admin/features/shop.basket';
  const custom = { ...green, custom: { a: 1 }, payload: { type: 'string', value: 'g', more: 2 } };

  stubTest.beforeEach(({ stub }) => {
    const one = toggle('shop.basket', { variants: [custom, { ...red, stickiness: undefined }], impressionData: true });
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [one] } });
    stub.answer(`GET ${API}`, { body: one });
  });

  stubTest('a failed save is told in the dialog [S5-011]', async ({ page, ui, stub }) => {
    await page.goto('features/variants/shop.basket');
    await ui.openVariant();
    await nameOf(ui).fill('blue');
    stub.answer(`PUT ${API}`, { status: 500 });
    await ui.saveVariant();
    await expect(ui.dialog.getByRole('alert')).toContainText('Could not add variant');
    stub.answer(`PUT ${API}`, { status: 400, body: { isJoi: true, details: [{ message: 'no blue, please' }] } });
    await ui.saveVariant();
    await expect(ui.dialog.getByRole('alert')).toHaveText('no blue, please');
    await expect(nameOf(ui)).toHaveValue('blue');
    stub.answer(`PUT ${API}`, { status: 200 });
    await ui.saveVariant();
    await expect(ui.dialog).toBeHidden();
  });

  stubTest('what the console does not know of a variant goes through untouched', async ({ page, ui, stub }) => {
    stub.answer(`PUT ${API}`, { status: 200 });
    await page.goto('features/variants/shop.basket');
    await ui.openVariant('green');
    await ui.dialog.getByLabel('Payload', { exact: true }).fill('G');
    await ui.saveVariant();
    await expect(ui.dialog).toBeHidden();
    const body = stub.called(`PUT ${API}`)[0]?.body as { variants: object[] };
    expect(body).toMatchObject({ impressionData: true });
    expect(body.variants[0]).toEqual({ ...custom, weight: 500, payload: { type: 'string', value: 'G', more: 2 } });
    expect(body.variants[1]).not.toHaveProperty('stickiness');
  });

  stubTest('who may not change variants reads them, and why not [S6-005]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
    await page.goto('features/variants/shop.basket');
    await expect(ui.variant('green')).toBeVisible();
    for (const name of ['Add variant', 'Edit green', 'Remove green']) {
      const button = ui.main.getByRole('button', { name });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toHaveAttribute('aria-description', /UPDATE_FEATURE/);
      await button.click({ force: true });
    }
    await expect(ui.dialog).toHaveCount(0);
    await expect(ui.main.getByRole('combobox')).toHaveCount(0);
  });

  stubTest('a server that answers null for no variants is fine', async ({ page, ui, stub }) => {
    const one = toggle('shop.basket', { variants: null });
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [one] } });
    stub.answer(`GET ${API}`, { body: one });
    stub.answer(`PUT ${API}`, { status: 200 });
    await page.goto('features/variants/shop.basket');
    await expect(ui.main).toContainText('No variants');
    await ui.addVariant('blue');
    await expect
      .poll(() => stub.called(`PUT ${API}`)[0]?.body)
      .toMatchObject({ variants: [{ name: 'blue', weight: 1000 }] });
  });
});
