// Every page for everyone: what axe can find, nothing to scroll sideways for, and the main flow by keyboard alone.

import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

// Each test looks at its page four times, and looking takes seconds on a busy machine.
test.describe.configure({ timeout: 120_000 });

const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const;

const ROUTES = [
  { path: 'features', ready: 'shop.basket' },
  { path: 'features?filter=nothing-like-this', ready: 'Clear filters' },
  { path: 'features/create', ready: 'Toggle type' },
  { path: 'features/copy/shop.basket', ready: 'Replace groupId' },
  { path: 'features/strategies/shop.basket', ready: 'userWithId' },
  { path: 'features/view/shop.basket', ready: 'Never reported' },
  { path: 'features/strategies/no.such.toggle', ready: 'Could not find the toggle' },
  { path: 'features/history/shop.basket', ready: 'feature-created' },
  { path: 'archive', ready: 'shop.gone' },
  { path: 'archive/strategies/shop.gone', ready: 'Activation strategies' },
  { path: 'no/such/page', ready: /not found/i },
];

/** What keeps somebody from using the page as it stands. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return excess > 0 ? [...found, `the page is ${excess} px wider than its window`] : found;
}

// The pages are the same on both services; what signing in adds is below.
test.describe('axe finds nothing on', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flags }) => {
    const strategies = [{ name: 'default' }, { name: 'userWithId', parameters: { userIds: 'ada,grace' } }];
    await flags.create(
      { name: 'shop.basket', description: 'A larger basket', stale: true, strategies },
      { name: 'shop.off', enabled: false, type: 'kill-switch' },
      { name: 'shop.gone' },
    );
    await flags.archive('shop.gone');
    await flags.post('admin/features/shop.basket/tags', { type: 'simple', value: 'winter' });
  });

  for (const { path, ready } of ROUTES) {
    test(`/${path}`, async ({ page, ui }) => {
      for (const { colorScheme, width } of LOOKS) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.goto(path);
        await expect(ui.main.getByText(ready).first()).toBeVisible();
        expect(await faults(page), `${colorScheme} at ${width}`).toEqual([]);
      }
    });
  }

  test('open menus and dialogs', async ({ page, ui }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('features');
      await ui.openRowMenu('shop.basket');
      expect(await faults(page), `row menu, ${colorScheme}`).toEqual([]);
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await expect(ui.dialog).toBeVisible();
      expect(await faults(page), `question, ${colorScheme}`).toEqual([]);
      await page.goto('features/strategies/shop.basket');
      await ui.openAddTag();
      expect(await faults(page), `new tag, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(ui.dialog).toBeHidden();
      await ui.fact('Toggle type').click();
      await expect(page.getByRole('menuitemradio').first()).toBeVisible();
      expect(await faults(page), `types, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
      await ui.main.getByRole('button', { name: 'Edit description' }).click();
      expect(await faults(page), `description, ${colorScheme}`).toEqual([]);
    }
  });
});

test('axe finds nothing on an empty list and in the sign-in dialog', async ({ page, ui, context, backend }) => {
  if (backend === 'upstream') await context.clearCookies();
  for (const { colorScheme, width } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto('features');
    const ready = backend === 'upstream' ? ui.signInDialog : page.getByText('Empty list of feature toggles');
    await expect(ready).toBeVisible();
    expect(await faults(page), `${colorScheme} at ${width}`).toEqual([]);
  }
});

/** Presses Tab until the control has the focus, as somebody without a mouse does. */
async function tabTo(control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await control.page().keyboard.press('Tab');
  }
  throw new Error(`60 times Tab did not reach ${control}`);
}

test('search, flip, create and archive need no mouse', async ({ page, ui, flags }) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gift-cards' });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await keyboard.press('/');
  await keyboard.type('basket');
  await keyboard.press('Enter');
  await ui.expectNames('shop.basket');
  await tabTo(ui.switchOf('shop.basket'));
  await keyboard.press('Space');
  await expect(ui.switchOf('shop.basket')).not.toBeChecked();
  await expect(ui.switchOf('shop.basket')).toBeFocused();

  await tabTo(ui.rowMenuButton('shop.basket'));
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await keyboard.press('Escape');
  await expect(ui.rowMenuButton('shop.basket')).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Archive' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeVisible();
  await tabTo(ui.dialog.getByRole('button', { name: 'Archive' }));
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeHidden();
  await expect.poll(() => flags.findArchived('shop.basket')).toBeDefined();

  await page.goto('features/create');
  await tabTo(ui.nameField);
  await keyboard.type('by.keyboard');
  await tabTo(page.getByRole('button', { name: 'Create' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/strategies\/by\.keyboard$/);
  await expect(page.getByRole('heading', { name: 'by.keyboard' })).toBeVisible();
});
