// Variants of toggles on servers that store them in strategies.

import { expect, test } from './api';

test('the first variant of a toggle is stored after a question', { tag: '@since-6.10' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/variants/shop.basket');
  await expect(ui.main).toContainText('This server stores variants in strategies.');
  await ui.main.getByRole('button', { name: 'Create anyway' }).click();
  await ui.dialog.getByLabel('Name', { exact: true }).fill('blue');
  await ui.variants.save();
  const question = page.getByRole('dialog', { name: 'Create variants of shop.basket' });
  await question.getByRole('button', { name: 'Create anyway' }).click();
  await expect(ui.variants.row('blue')).toContainText('100 %');
  await ui.variants.add('green');
  const { variants } = (await flags.find('shop.basket')) ?? {};
  expect(variants).toMatchObject([
    { name: 'blue', weight: 500 },
    { name: 'green', weight: 500 },
  ]);
});
