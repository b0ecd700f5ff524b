// The first rollout of a toggle: adding a strategy, replacing default, limiting to users, and the clicks of both tasks.

import type { Page } from '@playwright/test';
import { axeViolations, LOOKS, tabTo } from './support/accessibility';
import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const always = { name: 'default', parameters: {} };
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

/** Counts the mouse clicks on the page from now on. Key presses that activate a control do not count. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const state = { clicks: 0 };
    document.addEventListener(
      'click',
      ({ isTrusted, detail }) => (state.clicks += Number(isTrusted && detail > 0)),
      true,
    );
    return state;
  });
  return () => counter.evaluate(({ clicks }) => clicks);
}

test('three clicks roll out a new toggle to 25 %, from its page', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  const clicks = await countClicks(page);
  await ui.activation.addStrategyButton.click();
  await ui.activation.strategyItem('flexibleRollout').click();
  await page.keyboard.type('25');
  await expect(ui.activation.strategy('flexibleRollout')).toContainText('Replaces default when you save.');
  await ui.activation.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect(await clicks()).toBe(3);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('25')]);
});

test('three clicks create a toggle that is rolled out to 25 %, from the list', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'other' });
  await page.goto('features');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'New toggle' }).click();
  await expect(ui.nameField).toBeFocused();
  await page.keyboard.type('shop.basket');
  await page.getByRole('button', { name: 'Roll out gradually' }).click();
  await page.keyboard.type('25');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/);
  expect(await clicks()).toBe(3);
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: true, strategies: [rollout('25')] });
});

test('three clicks limit a toggle to two users', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [always, rollout('25')] });
  await ui.activation.open('shop.basket');
  const clicks = await countClicks(page);
  await ui.activation.addStrategyButton.click();
  await ui.activation.strategyItem('Only these users').click();
  await page.keyboard.type('ada,grace');
  await expect(ui.activation.strategy('flexibleRollout, removed')).toContainText('Removed when you save');
  await ui.activation.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect(await clicks()).toBe(3);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([users('ada,grace')]);
});

test('both tasks work with the keyboard alone', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await expect(ui.activation.addStrategyButton).toBeEnabled();
  await tabTo(ui.activation.addStrategyButton);
  await keyboard.press('Enter');
  await expect(ui.activation.highlightedItem).toHaveAccessibleName('Only these users');
  // A letter starts the filter.
  await keyboard.type('flex');
  await keyboard.press('Enter');
  await expect(ui.activation.rolloutField('flexibleRollout')).toBeFocused();
  // A letter is refused, and keeps the number.
  await keyboard.type('25e');
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('25');
  await tabTo(ui.activation.saveAll);
  await keyboard.press('Enter');
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('25')]);

  await tabTo(ui.activation.addStrategyButton);
  await keyboard.press('ArrowDown');
  await expect(ui.activation.highlightedItem).toHaveAccessibleName('Only these users');
  await keyboard.press('Enter');
  await expect(ui.activation.strategy('userWithId').getByLabel('userIds')).toBeFocused();
  await keyboard.type('ada,grace');
  await tabTo(ui.activation.saveAll);
  await keyboard.press('Enter');
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([users('ada,grace')]);
});

test.describe('Replace default', { tag: '@embedded' }, () => {
  test('can be switched off, and is not offered next to a default with constraints', async ({ page, ui, flags }) => {
    const constraints = [{ contextName: 'environment', operator: 'IN', values: ['dev'] }];
    await flags.create({ name: 'shop.basket' }, { name: 'shop.dev', strategies: [{ ...always, constraints }] });
    await ui.activation.open('shop.basket');
    await ui.activation.openAddStrategyMenu();
    await expect(ui.activation.replaceDefault).toBeChecked();
    await ui.activation.replaceDefault.uncheck();
    await ui.activation.strategyItem('flexibleRollout').click();
    await expect(ui.activation.titles()).toHaveText(['default', 'flexibleRollout']);

    page.once('dialog', (dialog) => dialog.accept());
    await ui.activation.open('shop.dev');
    await ui.activation.openAddStrategyMenu();
    await expect(ui.activation.replaceDefault).toHaveCount(0);
    await ui.activation.strategyItem('flexibleRollout').click();
    await expect(ui.activation.titles()).toHaveText(['default', 'flexibleRollout']);
  });

  test('can be discarded, and the card alone saves it', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [always, users('ada')] });
    await ui.activation.open('shop.basket');
    await ui.activation.openAddStrategyMenu();
    await ui.activation.strategyItem('flexibleRollout').click();
    await expect(ui.activation.titles()).toHaveText(['flexibleRollout', 'userWithId']);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(ui.activation.titles()).toHaveText(['default', 'userWithId']);
    await ui.activation.openAddStrategyMenu();
    await ui.activation.strategyItem('flexibleRollout').click();
    await ui.activation.choose('flexibleRollout', 'Remove');
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(ui.activation.titles()).toHaveText(['default', 'userWithId']);
    await ui.activation.openAddStrategyMenu();
    await ui.activation.strategyItem('flexibleRollout').click();
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('100'), users('ada')]);
  });
});

test('Only these users uses a constraint if the server has deprecated the list of users', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await flags.post('admin/strategies/userWithId/deprecate');
  await ui.activation.open('shop.basket');
  await ui.activation.openAddStrategyMenu();
  await ui.activation.strategyItem('Only these users').click();
  await ui.activation.strategy('default').getByRole('textbox', { name: 'Values' }).fill('ada,grace,');
  await ui.activation.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['ada', 'grace'] }];
  expect((await flags.find('shop.basket'))?.strategies).toEqual([{ ...always, constraints }]);
});

test.describe('the add menu', { tag: '@embedded' }, () => {
  test('shows strategies in groups with descriptions, and filters them', async ({ ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await flags.post('admin/strategies', { name: 'byRegion', description: 'In some regions', parameters: [] });
    await ui.activation.open('shop.basket');
    await ui.activation.openAddStrategyMenu();
    const items = ui.activation.addStrategyMenu.getByRole('option');
    await expect(items.first()).toHaveAccessibleDescription('On for the users you list, and no one else.');
    await expect(ui.activation.strategyItem('byRegion')).toHaveAccessibleDescription('In some regions');
    const group = (name: string) => ui.activation.addStrategyMenu.getByRole('group', { name }).getByRole('option');
    await expect(group('Common')).toHaveText(['flexibleRollout', 'userWithId', 'default']);
    await expect(group('More')).toHaveText(['applicationHostname', 'byRegion', 'remoteAddress']);
    const older = ['gradualRolloutRandom', 'gradualRolloutSessionId', 'gradualRolloutUserId'];
    await expect(group('Older')).toHaveText(older);

    const filter = ui.activation.addStrategyMenu.getByRole('combobox', { name: 'Filter strategies' });
    await filter.fill('REGION');
    await expect(items).toHaveCount(1);
    await filter.fill('xyz');
    await expect(ui.activation.addStrategyMenu.getByRole('status')).toHaveText('No strategy contains “xyz”.');
    await filter.clear();
    await expect(items).toHaveCount(10);
  });

  test('is operated by arrows and Escape', async ({ page, ui, flags }) => {
    const { keyboard } = page;
    await flags.create({ name: 'shop.basket' });
    await ui.activation.open('shop.basket');
    await tabTo(ui.activation.addStrategyButton);
    await keyboard.press('ArrowDown');
    await expect(ui.activation.addStrategyMenu.getByRole('combobox')).toBeFocused();
    await expect(ui.activation.highlightedItem).toHaveAccessibleName('Only these users');
    for (const [key, name] of [
      ['ArrowDown', 'flexibleRollout'],
      ['ArrowUp', 'Only these users'],
      ['ArrowUp', 'gradualRolloutUserId'],
      ['ArrowDown', 'Only these users'],
    ] as const) {
      await keyboard.press(key);
      await expect(ui.activation.highlightedItem).toHaveAccessibleName(name);
    }
    await keyboard.press('Escape');
    await expect(ui.activation.addStrategyMenu).toBeHidden();
    await expect(ui.activation.addStrategyButton).toBeFocused();
  });

  test('has no axe violations and stays inside the window', { tag: '@ci' }, async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    for (const { colorScheme, width } of LOOKS) {
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme });
      await ui.activation.open('shop.basket');
      await ui.activation.openAddStrategyMenu();
      expect(await axeViolations(page), `${colorScheme} at ${width}`).toEqual([]);
      const box = await ui.activation.addStrategyMenu.boundingBox();
      expect(box?.height).toBeLessThanOrEqual(400);
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
      expect((box?.y ?? 0) >= 52 && (box?.y ?? 0) + (box?.height ?? 0) <= 740).toBe(true);
    }
  });
});

stubTest.describe('the add menu of another server', { tag: '@stub' }, () => {
  const definition = (name: string) => ({ name, description: 'One', editable: false, parameters: [] });

  stubTest.beforeEach(async ({ stub }) => {
    const stored = toggle('shop.basket');
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: stored });
  });

  stubTest('shows the reason if the strategies cannot be loaded, and loads them again', async ({ ui, stub }) => {
    stub.respond('GET /api/admin/strategies', { status: 403, body: { message: 'Not for you' } });
    await ui.activation.open('shop.basket');
    await ui.activation.addStrategyButton.click();
    await expect(ui.activation.addStrategyMenu.getByRole('alert')).toContainText('You cannot perform this action');
    stub.respond('GET /api/admin/strategies', { body: { version: 1, strategies: [definition('default')] } });
    await ui.activation.addStrategyMenu.getByRole('button', { name: 'Retry' }).click();
    await expect(ui.activation.strategyItem('default')).toBeVisible();
  });
});
