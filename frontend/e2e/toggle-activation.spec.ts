// The activation strategies of a toggle: cards, saving, reviewing, warnings and undo.

import { expect, test } from './support/fixtures';
import { gate } from './support/gate';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

test('each card is saved separately and marked while it is unsaved [S2-080] [S2-081] [S4-017] [S7-005] [S7-008] [S3-002]', async ({
  page,
  ui,
  flags,
}) => {
  const constraints = [{ contextName: 'environment', operator: 'IN', values: ['dev'] }];
  await flags.create({ name: 'shop.basket', strategies: [{ ...rollout('25'), constraints }, users('ada')] });
  await ui.activation.open('shop.basket');
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  const border = () =>
    ui.activation.strategy('flexibleRollout').evaluate((card) => getComputedStyle(card).borderLeftColor);
  expect(await border()).not.toBe('rgb(107, 63, 201)');
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  await ui.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
  await expect(ui.activation.unsavedCards).toHaveCount(2);
  await expect.poll(border).toBe('rgb(107, 63, 201)');

  await ui.activation.saveButton('flexibleRollout').click();
  await expect(ui.snackbar).toHaveText(/^shop\.basket successfully updated!/);
  await expect(ui.activation.strategy('flexibleRollout').getByText('Unsaved')).toHaveCount(0);
  await expect(ui.activation.strategy('userWithId').getByText('Unsaved')).toBeVisible();
  expect((await flags.find('shop.basket'))?.strategies).toEqual([{ ...rollout('50'), constraints }, users('ada')]);

  await ui.activation.saveButton('userWithId').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([
    { ...rollout('50'), constraints },
    users('ada,grace'),
  ]);
});

test('all cards can be saved or discarded at once [S2-082]', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] });
  await ui.activation.open('shop.basket');
  await expect(ui.activation.saveAll).toHaveCount(0);
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  await ui.activation.addStrategy('default');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('25');
  await expect(ui.activation.titles()).toHaveText(['flexibleRollout', 'userWithId']);
  await expect(page.getByText('Unsaved')).toHaveCount(0);

  await ui.activation.rolloutField('flexibleRollout').fill('60');
  await ui.activation.strategy('userWithId').getByRole('button', { name: 'Remove ada' }).click();
  await ui.activation.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('60'), users('')]);
});

test('two new cards saved in reverse order are stored once each', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await ui.activation.addStrategy('flexibleRollout');
  await ui.activation.addStrategy('userWithId');
  await ui.activation.saveButton('userWithId').click();
  await expect(ui.activation.unsavedCards).toHaveCount(1);
  await ui.activation.saveButton('flexibleRollout').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  await expect(ui.activation.titles()).toHaveText(['default', 'userWithId', 'flexibleRollout']);
  const stored = (await flags.find('shop.basket'))?.strategies;
  expect(stored?.map(({ name }) => name)).toEqual(['default', 'userWithId', 'flexibleRollout']);
});

test('the menu adds a strategy with its default values and focuses it [S2-084] [S9-008] [S9-021]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  for (let number = 0; number < 12; number += 1) {
    await flags.post('admin/strategies', { name: `own${number}`, description: '', parameters: [] });
  }
  try {
    await flags.post('admin/strategies/own1/deprecate');
    await ui.activation.open('shop.basket');
    await ui.activation.openAddStrategyMenu();
    await expect(ui.activation.strategyItem('own2')).toBeVisible();
    await expect(ui.activation.strategyItem('own1')).toHaveCount(0);
    await ui.activation.replaceRules.uncheck();
    await ui.activation.strategyItem('flexibleRollout').click();
    const card = ui.activation.strategy('flexibleRollout');
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('100');
    await expect(ui.activation.rolloutField('flexibleRollout')).toBeFocused();
    await ui.activation.openDetails('flexibleRollout');
    await expect(card.getByLabel('Stickiness')).toHaveValue('default');
    await expect(card.getByLabel('groupId')).toHaveValue('shop.basket');
    await ui.activation.addStrategy('remoteAddress');
    await ui.activation.saveAll.click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([
      { name: 'default', parameters: {} },
      rollout('100'),
      { name: 'remoteAddress', parameters: { IPs: '' } },
    ]);
  } finally {
    for (let number = 0; number < 12; number += 1) await flags.remove(`admin/strategies/own${number}`);
  }
});

test('a field gets the focus as soon as its definition arrives, unless the focus has moved', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('50')] });
  const share = ui.activation.strategy('flexibleRollout').getByRole('button', { name: '50 %' });
  for (const moves of [false, true]) {
    const definitions = gate();
    await page.route('**/api/admin/strategies', async (route) => {
      await definitions.opened;
      await route.continue();
    });
    await page.goto('features/strategies/shop.basket');
    await share.click();
    await expect(ui.main.getByText('Loading definition...')).toBeVisible();
    const other = ui.tab('Metrics');
    if (moves) await other.focus();
    definitions.open();
    const field = ui.activation.rolloutField('flexibleRollout');
    await expect(field).toBeVisible();
    await expect(moves ? other : field).toBeFocused();
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('removing asks for confirmation, and the last strategy cannot be removed [S2-085] [S8-044] [S5-001]', {
  tag: ['@strategy-required', '@reach'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] });
  await ui.activation.open('shop.basket');
  const remove = (name: string) => ui.activation.choose(name, 'Remove');
  await remove('flexibleRollout');
  await expect(ui.dialog).toContainText('Are you sure you want to remove this activation strategy?');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.activation.titles()).toHaveText(['flexibleRollout', 'userWithId']);
  await remove('flexibleRollout');
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.activation.titles()).toHaveText(['userWithId']);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([users('ada')]);

  await remove('userWithId');
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.dialog.getByRole('alert')).toHaveText('You must add at least one activation strategy');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await flags.find('shop.basket'))?.strategies).toEqual([users('ada')]);
  // A new card is not stored, so removing it sends no request.
  await ui.activation.addStrategy('default');
  await remove('default');
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.activation.titles()).toHaveText(['userWithId']);
  await expect(page.getByText('Unsaved')).toHaveCount(0);
});

test('the review shows the changes in words, and saves them', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('a,b,c')] });
  await ui.activation.open('shop.basket');
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  await ui.activation.strategy('userWithId').getByRole('button', { name: 'Remove b' }).click();
  await expect(page.getByRole('region', { name: 'Pending changes' })).toContainText('rollout 25 → 50 %');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const words = ui.dialog.getByRole('region', { name: 'Changes' });
  await expect(words).toContainText('rollout 25 → 50 %');
  await expect(words).toContainText('userIds: − b');
  await ui.dialog.getByRole('button', { name: 'Save all' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('50'), users('a,c')]);
});
