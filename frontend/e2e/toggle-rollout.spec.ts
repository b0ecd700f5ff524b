// The first rollout of a toggle and its limitation to users: the clicks and keys of both tasks, and the menu that adds strategies.

import type { Page } from '@playwright/test';
import { axeViolations, LOOKS, tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';

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

test('three clicks roll out a new toggle to 25 %, from its page, and four limit it to two users', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.users', strategies: [always, rollout('25')] });
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

  await ui.activation.open('shop.users');
  const clicksToLimit = await countClicks(page);
  await ui.activation.addStrategyButton.click();
  await ui.activation.replaceRules.check();
  await ui.activation.strategyItem('userWithId').click();
  await page.keyboard.type('ada,grace');
  await expect(ui.activation.strategy('flexibleRollout, removed')).toContainText('Removed when you save');
  await ui.activation.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect(await clicksToLimit()).toBe(4);
  expect((await flags.find('shop.users'))?.strategies).toEqual([users('ada,grace')]);
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
  await ui.activation.addStrategyButton.click();
  await expect(ui.activation.highlightedItem).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('25');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/);
  expect(await clicks()).toBe(3);
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: true, strategies: [rollout('25')] });
});

test('both tasks work with the keyboard alone', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await expect(ui.activation.addStrategyButton).toBeEnabled();
  await tabTo(ui.activation.addStrategyButton);
  await keyboard.press('Enter');
  await expect(ui.activation.highlightedItem).toHaveAccessibleName('Gradual rollout flexibleRollout');
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
  await expect(ui.activation.addStrategyMenu.getByRole('combobox')).toBeFocused();
  await tabTo(ui.activation.replaceRules, 'Shift+Tab');
  await keyboard.press('Space');
  await tabTo(ui.activation.addStrategyMenu.getByRole('combobox'));
  await keyboard.type('named');
  await keyboard.press('Enter');
  await expect(ui.activation.strategy('userWithId').getByLabel('userIds')).toBeFocused();
  await keyboard.type('ada,grace');
  await tabTo(ui.activation.saveAll);
  await keyboard.press('Enter');
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([users('ada,grace')]);
});

test('the menu that adds strategies has no axe violations and stays inside the window', {
  tag: ['@embedded', '@ci'],
}, async ({ page, ui, flags }) => {
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
