// The four tasks of a new user by touch, on a phone.

import { entries, undoButton } from './support/events';
import { expect, test } from './support/fixtures';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

test('three taps roll out a toggle to 25 %, and three limit it to two users', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await ui.activation.addStrategyButton.tap();
  await page.getByRole('menuitem', { name: 'flexibleRollout' }).tap();
  await page.keyboard.type('25');
  await ui.activation.saveAll.tap();
  await expect(ui.activation.unsavedCards).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('25')]);
  await ui.activation.addStrategyButton.tap();
  await page.getByRole('menuitem', { name: 'Only these users' }).tap();
  await page.keyboard.type('ada,grace');
  await ui.activation.saveAll.tap();
  await expect(ui.activation.unsavedCards).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([
    { name: 'userWithId', parameters: { userIds: 'ada,grace' } },
  ]);
});

test('two taps undo the last change of a toggle', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.update('shop.basket', { description: 'Large' });
  await ui.activation.open('shop.basket');
  await ui.tab('Log').tap();
  await undoButton(entries(ui).first()).tap();
  await expect(ui.snackbar).toContainText('Change to shop.basket undone.');
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Small' });
  await expect(page).toHaveURL(/\/features\/history\/shop\.basket/);
});

test('five taps archive two old toggles', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'old.banner' }, { name: 'old.search' }, { name: 'shop.basket' });
  await page.goto('features');
  await ui.rowMenuButton('old.banner').tap();
  await page.getByRole('menuitem', { name: 'Select', exact: true }).tap();
  await ui.checkboxOf('old.search').tap();
  await ui.bulk.getByRole('button', { name: 'Archive' }).tap();
  await ui.dialog.getByRole('button', { name: 'Archive' }).tap();
  await ui.expectNames('shop.basket');
  expect(await flags.findArchived('old.banner')).toBeDefined();
  expect(await flags.findArchived('old.search')).toBeDefined();
});
