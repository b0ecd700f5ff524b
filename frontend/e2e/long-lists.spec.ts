// Long lists: rendered rows, scrolling and search.

import type { Page } from '@playwright/test';
import { application } from './support/applications';
import { entries } from './support/events';
import { expect, stubTest } from './support/fixtures';
import { ONE_TRY } from './support/slowdown';

/** Number of DOM nodes, which must not grow with the length of the list. */
const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

const paddedNumbers = (length: number) => Array.from({ length }, (_, index) => String(index).padStart(5, '0'));

stubTest.describe('a list much longer than the screen', { tag: '@stub' }, () => {
  const tags = paddedNumbers(500).map((value) => ({ type: 'simple', value }));
  const event = (id: number) => ({
    id,
    type: 'feature-created',
    createdBy: 'somebody',
    createdAt: '2026-01-05T10:00:00.000Z',
    data: { name: 'shop.basket' },
    diffs: null,
  });

  stubTest.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/tags', { body: { version: 1, tags } });
    stub.respond('GET /api/admin/metrics/applications', {
      body: { applications: paddedNumbers(1_000).map((name) => application(name)) },
    });
    const events = paddedNumbers(10_000).map((_, index) => event(10_000 - index));
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events } });
  });

  for (const [path, total, last, tag] of [
    ['tags', 500, '00499', '@stub'],
    ['applications', 1_000, '00999', '@ci'],
  ] as const) {
    stubTest(`${path}: renders the first rows at once, and others while scrolling`, { tag }, async ({ page, ui }) => {
      await page.goto(path);
      const table = ui.main.getByRole('table');
      await expect(ui.row('00000')).toBeVisible();
      await expect(table).toHaveAttribute('aria-rowcount', String(total + 1));
      expect(await nodes(page)).toBeLessThan(3_000);
      // The page has its full height from the start.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height).toBeGreaterThan(total * 30);
      await expect(async () => {
        await page.keyboard.press('End');
        await expect(ui.row(last)).toBeInViewport(ONE_TRY);
      }).toPass();
    });
  }

  stubTest('going back restores the scroll position', async ({ page, ui }) => {
    await page.goto('applications');
    await expect(ui.row('00000')).toBeVisible();
    const link = ui.row('00300').getByRole('link');
    await expect(async () => {
      // The wheel would scroll later, perhaps after the click.
      await page.evaluate(() => scrollBy(0, 3_000));
      await expect(link).toBeVisible(ONE_TRY);
    }).toPass();
    await link.scrollIntoViewIfNeeded();
    await link.click();
    await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('00300');
    await page.goBack();
    await expect(link).toBeInViewport();
  });

  stubTest('an application with thousands of toggles has a page', async ({ page, ui, stub }) => {
    const seenToggles = paddedNumbers(3_000).map((name) => ({ name, description: '', enabled: true }));
    stub.respond('GET /api/admin/metrics/applications/00300', { body: application('00300', { seenToggles }) });
    await page.goto('applications/00300');
    await expect(ui.main.getByRole('link', { name: '00000' })).toBeVisible();
    expect(await nodes(page)).toBeLessThan(3_000);
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(ui.main.getByRole('link', { name: '02999' })).toBeVisible(ONE_TRY);
    }).toPass();
  });

  stubTest('an event among ten thousand can be opened by its URL', async ({ page, ui }) => {
    await page.goto('history/shop.basket');
    await expect(entries(ui).first()).toBeVisible();
    expect(await nodes(page)).toBeLessThan(3_000);
    await page.goto('history/shop.basket?event=9700');
    await expect(page.locator('#event-9700')).toBeInViewport();
    await expect(page.locator('#event-9700').getByRole('button').first()).toBeFocused();
  });
});
