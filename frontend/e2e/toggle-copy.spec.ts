// Copying a toggle.

import { expect, test } from './support/fixtures';
import { messagesOf } from './support/serverMessages';

const strategies = [
  { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'userId', groupId: 'shop.basket' } },
];

test('a copy has its own name and group, and is otherwise equal [S2-006] [S2-045] [S2-052] [S4-009] [S1-001]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  const constraints = [{ contextName: 'environment', operator: 'IN', values: ['dev'] }];
  await flags.create({
    name: 'shop.basket',
    description: 'Large',
    type: 'experiment',
    enabled: false,
    strategies: strategies.map((strategy) => ({ ...strategy, constraints })),
  });
  await page.goto('features/strategies/shop.basket');
  await ui.clone();
  await expect(page).toHaveURL(/\/features\/copy\/shop\.basket$/);
  await expect(page.getByLabel('Replace groupId')).toBeChecked();
  await ui.nameField.fill(' shop.basket-2 ');
  await page.getByRole('button', { name: 'Copy feature toggle' }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket-2$/);
  await expect(page.getByRole('heading', { name: 'shop.basket-2' })).toBeVisible();
  expect(await flags.find('shop.basket-2')).toMatchObject({
    description: 'Large',
    type: 'experiment',
    enabled: false,
    strategies: [{ parameters: { rollout: '25', stickiness: 'userId', groupId: 'shop.basket-2' }, constraints }],
  });
  expect((await flags.find('shop.basket'))?.strategies?.[0]?.parameters?.['groupId']).toBe('shop.basket');
});

test('Replace groupId can be unchecked and checked again [S2-045]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', strategies });
  await page.goto('features/copy/shop.basket');
  const replace = page.getByLabel('Replace groupId');
  await replace.uncheck();
  await replace.check();
  await replace.uncheck();
  await ui.nameField.fill('shop.basket-2');
  await page.getByRole('button', { name: 'Copy feature toggle' }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket-2$/);
  expect((await flags.find('shop.basket-2'))?.strategies?.[0]?.parameters?.['groupId']).toBe('shop.basket');
});

test('a name that is not available blocks the copy [S5-002] [S5-005] [S7-007]', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
  version,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gone' });
  await flags.archive('shop.gone');
  await page.goto('features/copy/shop.basket');
  const copy = page.getByRole('button', { name: 'Copy feature toggle' });
  await copy.click();
  await expect(ui.main.getByRole('alert')).toContainText('Enter a name.');
  await ui.nameField.fill('shop.basket');
  await ui.nameField.blur();
  await expect(ui.main.getByRole('alert')).toContainText(messagesOf(version).nameTaken);
  await expect(copy).toHaveAttribute('aria-disabled', 'true');
  await ui.nameField.press('Enter');
  await expect(page).toHaveURL(/\/features\/copy\/shop\.basket$/);
  await ui.nameField.fill('shop.gone');
  await ui.nameField.blur();
  await expect(ui.main.getByRole('alert')).toContainText(messagesOf(version).nameTakenInArchive);
  await expect(ui.main.getByRole('link', { name: 'Show the archived toggle' })).toHaveAttribute(
    'href',
    /\/archive\/strategies\/shop\.gone$/,
  );
  await ui.nameField.fill('shop.basket-2');
  await copy.click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket-2$/);
});

test('a missing toggle cannot be copied [S2-046] [S8-031]', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.gone' });
  await flags.archive('shop.gone');
  for (const name of ['no.such.toggle', 'shop.gone']) {
    await page.goto(`features/copy/${name}`);
    await expect(ui.main).toContainText('Toggle not found');
    await expect(ui.nameField).toHaveCount(0);
  }
});
