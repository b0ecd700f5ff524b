// Rows of the toggle list: the row as a link, type icons, phones, and users who cannot change toggles.

import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

/** Returns the URL that a click at the centre of the element opens; undefined if no link is there. */
function linkAt(element: Locator): Promise<string | undefined> {
  return element.evaluate((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('a')?.pathname;
  });
}

/** Clicks at the centre of an element that the link of its row covers. */
async function clickAt(page: Page, element: Locator, button: 'left' | 'middle' = 'left'): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
  await page.mouse.click(x + width / 2, y + height / 2, { button });
}

const cell = (row: Locator, index: number) => row.locator('td, th').nth(index);

test.describe('a row', { tag: '@embedded' }, () => {
  const HREF = '/features/strategies/shop.basket';

  test.beforeEach(async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', description: 'Large' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
  });

  test('shows only its name and its switch at rest, and the others with the pointer or the focus', async ({
    page,
    ui,
  }) => {
    const row = ui.row('shop.basket');
    const menu = ui.rowMenuButton('shop.basket');
    // The styled box of the field.
    const box = ui.checkboxOf('shop.basket').locator('..');
    const metrics = row.getByRole('link', { name: 'Metrics of shop.basket' });
    expect(await row.getByRole('link').or(row.getByRole('button')).or(row.locator('input')).count()).toBe(5);
    const isShown = (control: Locator) =>
      control.evaluate((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    const expectShown = async (shown: boolean) => {
      for (const control of [menu, box, metrics]) await expect.poll(() => isShown(control)).toBe(shown);
    };
    await page.mouse.move(0, 0);
    await expectShown(false);
    await ui.row('shop.basket').hover();
    await expectShown(true);
    await page.mouse.move(0, 0);
    await expectShown(false);
    await ui.switchOf('shop.basket').focus();
    await expectShown(true);
  });

  test('is a link to its toggle, except at its controls', async ({ page, ui }) => {
    const row = ui.row('shop.basket');
    const headers = await page.getByRole('columnheader').allTextContents();
    expect(headers).toHaveLength(8);
    for (const column of ['Name', 'Created', 'Last seen', 'Type']) {
      expect(await linkAt(cell(row, headers.indexOf(column))), column).toBe(HREF);
      expect(await linkAt(cell(row, headers.indexOf(column)).locator('*').last()), column).toBe(HREF);
    }
    expect(await linkAt(row.getByText('Large'))).toBe(HREF);
    expect(await linkAt(ui.checkboxOf('shop.basket'))).toBeUndefined();
    expect(await linkAt(ui.switchOf('shop.basket'))).toBeUndefined();
    expect(await linkAt(ui.rowMenuButton('shop.basket'))).toBeUndefined();
    expect(await linkAt(ui.ringOf('shop.basket'))).toBe('/features/view/shop.basket');
    // One tab stop: the name.
    expect(await row.locator('a[href*="/strategies/"]:not([tabindex="-1"])').count()).toBe(1);
    const time = row.locator('time');
    await expect(time).toHaveAttribute('data-tip', /20\d\d/);
    // The link covers the time, which has its tooltip all the same.
    const { x = 0, y = 0, width = 0, height = 0 } = (await time.boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + height / 2);
    await expect(page.getByText((await time.getAttribute('data-tip')) ?? '')).toBeVisible();

    await ui.switchOf('shop.basket').click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    await ui.checkboxOf('shop.basket').check();
    await ui.rowMenuButton('shop.basket').click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/features$/);
    await clickAt(page, cell(row, headers.indexOf('Type')));
    await expect(page).toHaveURL(new RegExp(`${HREF.replaceAll('.', '\\.')}$`));
  });

  test('opens in a new tab with the middle button, and with Ctrl and a click', async ({ page, ui, context }) => {
    for (const [button, key] of [
      ['middle', undefined],
      ['left', 'ControlOrMeta'],
    ] as const) {
      for (const element of [ui.row('shop.basket').getByText('Large'), ui.row('shop.basket').locator('time')]) {
        const opened = context.waitForEvent('page');
        if (key) await page.keyboard.down(key);
        await clickAt(page, element, button);
        if (key) await page.keyboard.up(key);
        const tab = await opened;
        await expect(tab).toHaveURL(/\/features\/strategies\/shop\.basket$/);
        await tab.close();
      }
      await expect(page).toHaveURL(/\/features$/);
    }
  });
});

test('a row of the archive is a link, except at its button', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.gone' });
  await flags.archive('shop.gone');
  await page.goto('archive');
  const row = ui.row('shop.gone');
  // The time of archiving arrives after the row, from the events.
  await expect(row.locator('time')).toHaveCount(2);
  for (const time of await row.locator('time').all()) {
    expect(await linkAt(time)).toBe('/archive/strategies/shop.gone');
  }
  expect(await linkAt(row.getByRole('button', { name: 'Revive shop.gone' }))).toBeUndefined();
  await clickAt(page, row.getByText('Release'));
  await expect(page).toHaveURL(/\/archive\/strategies\/shop\.gone$/);
});

test('each toggle type has its own icon beside its name', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const types = ['release', 'experiment', 'operational', 'kill-switch', 'permission'];
  await flags.create(...types.map((type) => ({ name: `flag.${type}`, type })));
  await page.goto('features');
  const icons = new Set<string | null>();
  for (const type of types) {
    const icon = ui.row(`flag.${type}`).locator('td').filter({ hasText: /\w/ }).last().locator('svg');
    await expect(icon).toHaveAttribute('aria-hidden', 'true');
    icons.add(await icon.getAttribute('class'));
  }
  expect(icons.size).toBe(types.length);
  await expect(ui.row('flag.kill-switch')).toContainText('Kill switch');
  // The page of the toggle uses the same icon.
  await page.goto('features/strategies/flag.permission');
  await expect(ui.property('Toggle type').locator('svg.lucide-key-round')).toBeVisible();
});

test('the menu of the toggle type does not cover the side menu', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.property('Toggle type').click();
  const side = await ui.menu.boundingBox();
  // A menu gets its position after its first rendering.
  await expect(async () => {
    const menu = await page.getByRole('menu', { name: /^Toggle type/ }).boundingBox();
    expect(menu?.x).toBeGreaterThanOrEqual((side?.x ?? 0) + (side?.width ?? 0));
    const trigger = await ui.property('Toggle type').boundingBox();
    expect(Math.abs((menu?.x ?? 0) - (trigger?.x ?? 0))).toBeLessThan(2);
  }).toPass();
});

test.describe('on a phone', { tag: '@embedded' }, () => {
  test.use({ viewport: { width: 360, height: 740 } });

  for (const path of ['features', 'archive']) {
    const tag = path === 'features' ? [] : ['@ci'];

    test(`the rows of /${path} start in the upper quarter, with their metadata in one line`, { tag }, async ({
      page,
      ui,
      flags,
    }) => {
      await flags.create({ name: 'shop.basket', description: 'Large', type: 'operational' });
      if (path === 'archive') await flags.archive('shop.basket');
      await page.goto(path);
      const row = ui.row('shop.basket');
      await expect(row).toBeVisible();
      await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThanOrEqual(180);
      const name = await row.getByRole('link', { name: 'shop.basket', exact: true }).boundingBox();
      const action = await row.getByRole('button').last().boundingBox();
      const type = await row.getByText('Operational').boundingBox();
      // In the archive, the time of the archival is before it.
      const created = await row.locator('time').last().boundingBox();
      // Name and actions first, then the metadata.
      expect(action?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
      expect(type?.y).toBeGreaterThan((name?.y ?? 0) + (name?.height ?? 0));
      expect(Math.abs(middle(type) - middle(created))).toBeLessThan(2);
      const dot = await row
        .locator('td')
        .filter({ has: page.locator('time') })
        .last()
        .evaluate((td) => getComputedStyle(td, '::before').content);
      expect(dot).toBe('"·"');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    });
  }
});

const middle = (box: { y: number; height: number } | null) => (box?.y ?? 0) + (box?.height ?? 0) / 2;
