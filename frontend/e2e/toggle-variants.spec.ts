// The variants of a toggle: weights, payloads, overrides, stickiness and conflicts. Invalid values and failures:
// src/features/toggles/togglePage.test.tsx.

import type { Locator } from '@playwright/test';
import { changeSystemTheme, rgbOf } from './support/colours';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
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

test('added variants share the traffic equally [S2-007] [S2-063] [S3-007] [S3-008] [S3-009] [S5-015] [S7-008] [S9-006] [S1-002]', {
  tag: ['@first-variant', '@variant-stickiness', '@unassigned-weight'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.tab('Variants').click();
  await expect(page).toHaveURL(/\/features\/variants\/shop\.basket$/);
  await expect(ui.main).toContainText('No variants');
  await ui.variants.add(' blue ');
  await expect(ui.variants.row('blue')).toContainText('100 %');
  await expect(ui.main.getByRole('button', { name: 'Add variant' })).toBeFocused();
  // Stickiness needs at least two variants.
  await expect(ui.main.getByLabel('Stickiness')).toHaveCount(0);
  await ui.variants.add('green');
  await ui.variants.add('red');
  for (const name of ['blue', 'green', 'red']) await expect(ui.variants.row(name)).toContainText(/33\.3\s%.*Variable/);
  // The rest that rounding leaves.
  await expect(ui.main).toContainText('0.1 % unassigned');
  await expect(
    ui.main.getByRole('img', { name: /^Distribution: blue 33\.3\s%, green 33\.3\s%, red 33\.3\s%$/ }),
  ).toBeVisible();
  expect(await stored(flags)).toMatchObject([
    { name: 'blue', weight: 333, weightType: 'variable', stickiness: 'default' },
    { name: 'green', weight: 333 },
    { name: 'red', weight: 333 },
  ]);
});

test('payload and overrides can be edited, and an edit keeps other fields [S3-010] [S3-011] [S3-012] [S9-010] [S9-011]', {
  tag: ['@variant-stickiness', '@reach'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', variants: [blue, green, red] });
  await page.goto('features/variants/shop.basket');
  await expect(ui.variants.row('blue')).toContainText('{"a":1}');
  await expect(ui.variants.row('blue')).toContainText('appName: web, ios');
  await ui.variants.open('blue');
  await nameOf(ui).fill('navy');
  await ui.variants.save();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variants.row('navy')).toBeVisible();
  // Servers return variants in any order.
  expect(await stored(flags)).toEqual(expect.arrayContaining([{ ...blue, name: 'navy' }, green, red]));

  await ui.variants.open('green');
  await expect(ui.dialog.getByLabel('Payload type').locator('option')).toHaveText(['string', 'json', 'csv']);
  await ui.dialog.getByLabel('Payload type').selectOption('json');
  const payload = ui.dialog.getByLabel('Payload', { exact: true });
  await payload.fill('{"colour":');
  await ui.variants.save();
  await expect(ui.dialog.getByRole('alert')).toContainText('Invalid JSON');
  await payload.fill('{"colour":"green"}');
  await ui.dialog.getByRole('button', { name: 'Format' }).click();
  await expect(payload).toHaveValue('{\n  "colour": "green"\n}');
  await ui.dialog.getByRole('button', { name: 'Add override' }).click();
  await expect(ui.dialog.getByLabel('Context field').locator('option')).toHaveText(['userId', 'appName']);
  await ui.variants.save();
  await expect(ui.dialog.getByRole('alert')).toHaveText('Add a value, or remove the override.');
  await ui.dialog.getByRole('textbox', { name: 'Values' }).fill('ada, grace,ada');
  await ui.variants.save();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variants.row('green')).toContainText('userId: ada, grace');
  expect((await stored(flags))?.find(({ name }) => name === 'green')).toEqual({
    ...green,
    payload: { type: 'json', value: '{\n  "colour": "green"\n}' },
    overrides: [{ contextName: 'userId', values: ['ada', 'grace'] }],
  });
});

test('each of eight variants has its own colour in the bar and the table, with its name', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const names = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8'];
  const eighth = { weight: 125, weightType: 'variable', stickiness: 'default' };
  await flags.create({ name: 'shop.basket', variants: names.map((name) => ({ name, ...eighth })) });
  await page.goto('features/variants/shop.basket');
  const bar = ui.main.getByRole('img', { name: /^Distribution/ });
  await expect(bar).toHaveText(names.map((name) => `${name} 12.5 %`).join(''));
  const colours: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await changeSystemTheme(page, theme);
    for (const [index, name] of names.entries()) {
      const segment = await rgbOf(bar.locator('> span').nth(index).locator('> :first-child'), 'backgroundColor');
      const mark = await rgbOf(ui.variants.row(name).getByTestId('variant colour'), 'backgroundColor');
      expect(segment).toEqual(mark);
      colours.push(segment.join());
    }
  }
  expect(new Set(colours.slice(0, 8)).size).toBe(8);
  expect(new Set(colours).size).toBe(16);
});

test('the variant dialog marks required fields and separates headings from fields', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/variants/shop.basket');
  await ui.variants.open();
  const heading = ui.dialog.getByText('Overrides', { exact: true });
  const gapTo = async (below: Locator) => {
    const [above, next] = await Promise.all([heading.boundingBox(), below.boundingBox()]);
    return (next?.y ?? Number.NaN) - (above?.y ?? 0) - (above?.height ?? 0);
  };
  expect(await gapTo(ui.dialog.getByText('No overrides'))).toBeGreaterThanOrEqual(4);
  await ui.dialog.getByRole('button', { name: 'Add override' }).click();
  expect(await gapTo(ui.dialog.getByText('Context field'))).toBeGreaterThanOrEqual(4);
  await ui.dialog.getByText('Fixed weight').click();
  for (const label of ['Name', 'Weight in percent', 'Values']) {
    await expect(ui.dialog.getByLabel(label, { exact: true })).toHaveAttribute('aria-required', 'true');
    const mark = ui.dialog.getByText(label, { exact: true });
    expect(await mark.evaluate((one) => getComputedStyle(one, '::after').content)).toContain('*');
  }
});

test('stickiness applies to all variants and is saved at once [S3-010] [S9-009]', { tag: '@embedded' }, async ({
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
  await ui.snackbar.filter({ hasText: 'successfully updated!' }).waitFor();
  expect((await stored(flags))?.map((variant) => variant.stickiness)).toEqual(['random', 'random']);
  // A new variant gets the same stickiness.
  await ui.variants.add('blue');
  expect((await stored(flags))?.map((variant) => variant.stickiness)).toEqual(['random', 'random', 'random']);
});

test('removing a variant asks for confirmation and redistributes its weight', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
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
  await expect(ui.variants.row('red')).toHaveCount(0);
  expect(await weights(flags)).toEqual({ blue: 200, green: 800 });
  // The last variable variant cannot be removed while a fixed one exists.
  await ui.main.getByRole('button', { name: 'Remove green' }).click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.dialog.getByRole('alert')).toHaveText('There must be atleast one variable variant');
  expect(await weights(flags)).toEqual({ blue: 200, green: 800 });
});

test('concurrent changes of variants are not overwritten without a conflict dialog', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', variants: [green, red] });
  await page.goto('features/variants/shop.basket');
  await ui.variants.open('green');
  await flags.update('shop.basket', { description: 'Large', variants: [blue, green, red] });
  await nameOf(ui).fill('lime');
  await ui.variants.save();
  const question = ui.dialog.filter({ hasText: 'shop.basket was changed by' });
  await question.getByRole('radio', { name: 'Saved version' }).check();
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(ui.dialog).toHaveCount(0);
  await expect(ui.variants.row('blue')).toBeVisible();
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Large', variants: [blue, green, red] });
});
