// Unsaved cards on the activation tab: leaving, ended sessions, failures and archived toggles.

import type { Page } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { EMAIL, expect, test } from './support/fixtures';
import { revive } from './support/revive';
import type { Ui } from './support/ui';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

/** Opens a page of the console without loading the document, so that Back does not load it either. */
async function navigate(page: Page, to: string): Promise<void> {
  await page.evaluate((url) => {
    history.pushState({}, '', url);
    dispatchEvent(new PopStateEvent('popstate'));
  }, to);
}

const WAYS_TO_LEAVE: readonly { by: string; leave: (page: Page, ui: Ui) => Promise<unknown>; to: RegExp }[] = [
  {
    by: 'a link',
    leave: (_, ui) => ui.menu.getByRole('link', { name: 'Addons' }).click(),
    to: /\/addons$/,
  },
  { by: 'another tab', leave: (_, ui) => ui.tab('Metrics').click(), to: /\/features\/view\/shop\.basket$/ },
  { by: 'the back button', leave: (page) => page.evaluate(() => history.back()), to: /\/archive$/ },
  {
    by: 'the command palette',
    leave: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('tag types');
      await page.getByRole('option', { name: 'Tag types' }).first().click();
    },
    to: /\/tag-types$/,
  },
  {
    by: 'a keyboard shortcut',
    leave: async (page, ui) => {
      await ui.main.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
    },
    to: /\/history$/,
  },
];

test.describe('leaving unsaved cards', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] });
    await page.goto('archive');
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    await navigate(page, 'features/strategies/shop.basket');
    await ui.activation.editAll();
    await ui.activation.rolloutField('flexibleRollout').click();
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    page.on('dialog', (dialog) => {
      throw new Error(`unexpected confirmation of the browser: ${dialog.message()}`);
    });
  });

  for (const [index, { by, leave, to }] of WAYS_TO_LEAVE.entries()) {
    // All of them pass the same guard.
    const tag = index === 0 ? [] : ['@ci'];

    test(`by ${by} asks whether to stay, discard or save`, { tag }, async ({ page, ui, flags }) => {
      const address = page.url();
      await leave(page, ui);
      await ui.stay();
      expect(page.url()).toBe(address);
      await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
      // Browsers let a page cancel Back again only after an interaction.
      await ui.activation.rolloutField('flexibleRollout').click();

      await leave(page, ui);
      await ui.discardAndLeave();
      await expect(page).toHaveURL(to);
      expect((await flags.find('shop.basket'))?.strategies?.[0]).toEqual(rollout('25'));
      await page.goto('archive');
      await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
      await navigate(page, 'features/strategies/shop.basket');
      await ui.activation.editAll();
      await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('25');
      await ui.activation.rolloutField('flexibleRollout').click();
      await ui.activation.rolloutField('flexibleRollout').fill('50');

      await leave(page, ui);
      await ui.leaveDialog.getByRole('button', { name: 'Save all' }).click();
      await expect(page).toHaveURL(to);
      expect((await flags.find('shop.basket'))?.strategies?.[0]).toEqual(rollout('50'));
    });
  }

  test('is possible with the keyboard alone, and Escape means to stay', async ({ page, ui, flags }) => {
    const link = ui.menu.getByRole('link', { name: 'Addons' });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(ui.leaveDialog.getByRole('button', { name: 'Stay' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(ui.leaveDialog).toBeHidden();
    await expect(link).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(ui.leaveDialog.getByRole('button', { name: 'Save all' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/addons$/);
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
    expect((await flags.find('shop.basket'))?.strategies?.[0]).toEqual(rollout('50'));
  });
});

test('a link in the drawer asks before unsaved cards are lost', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
  await ui.activation.open('shop.basket');
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  for (const answer of ['Stay', 'Discard']) {
    await ui.openDrawer();
    await ui.menu.getByRole('link', { name: 'Addons' }).click();
    await ui.leaveDialog.getByRole('button', { name: answer }).click();
    await expect(ui.leaveDialog).toBeHidden();
    if (answer === 'Stay') await page.getByRole('button', { name: 'Close menu' }).click();
  }
  await expect(page).toHaveURL(/\/addons$/);
  await expect(ui.menu).toBeHidden();
});

test('an ended session keeps the cards, which are saved after signing in', {
  tag: '@upstream',
}, async ({ page, context, ui, flags, signIn }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
  await ui.activation.open('shop.basket');
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  await ui.activation.addStrategy('userWithId');
  await context.clearCookies();
  await ui.activation.saveAll.click();
  await signIn(EMAIL);
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
  expect((await flags.find('shop.basket'))?.strategies?.map(({ name }) => name)).toEqual([
    'flexibleRollout',
    'userWithId',
  ]);
});

test.describe('a toggle that another user archives while its cards are edited', () => {
  test.beforeEach(async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
    await ui.activation.open('shop.basket');
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    await flags.archive('shop.basket');
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.main.getByRole('alert')).toContainText('This toggle was archived while you were editing it.');
    await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/);
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
    const reason = 'An archived toggle cannot be edited. Revive it first.';
    await expect(ui.activation.saveAll).toHaveAccessibleDescription(reason);
    await ui.openToggleMenu();
    await expect(page.getByRole('menuitem', { name: /^Archive/ })).toContainText(reason);
    await page.keyboard.press('Escape');
    await expect(ui.main.getByText('Archived', { exact: true })).toBeVisible();
  });

  test('can be revived, and the edits are then saved', { tag: '@reach' }, async ({ page, ui, flags, version }) => {
    await revive(ui, ui.main.getByRole('alert').getByRole('button', { name: 'Revive' }), version);
    await expect(ui.main.getByRole('alert')).toHaveCount(0);
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
    await ui.activation.saveAll.click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies?.[0]?.parameters?.['rollout']).toBe('50');
  });

  test('lets the edits be copied and discarded', { tag: ['@archived-strategies', '@reach'] }, async ({
    page,
    context,
    ui,
    flags,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ui.main.getByRole('button', { name: 'Copy as JSON' }).click();
    await expect(ui.snackbar).toContainText('Copied.');
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ name: 'shop.basket', strategies: [rollout('50')] });
    await ui.main.getByRole('button', { name: 'Discard changes' }).click();
    await expect(ui.main.getByText('Archived', { exact: true })).toBeVisible();
    await expect(ui.main.getByRole('article', { name: 'flexibleRollout' })).toContainText('25 %');
    expect((await flags.findArchived('shop.basket'))?.strategies?.[0]?.parameters?.['rollout']).toBe('25');
  });
});
