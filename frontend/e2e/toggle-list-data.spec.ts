// The toggle list with 10,000 rows, and the size of its code. Metrics and search: src/features/toggles/list/listPage.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test.describe('the list', { tag: '@stub' }, () => {
  test('renders only the visible rows of 10,000 and finds any of them', async ({ page, ui, stub }) => {
    const features = Array.from({ length: 10_000 }, (_, index) => toggle(`flag.${String(index).padStart(5, '0')}`));
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    await page.goto('features');
    await expect(ui.row('flag.00000')).toBeVisible();
    expect(await page.locator('*').count()).toBeLessThan(1_500);
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
    await expect(ui.row('flag.00000')).toHaveAttribute('aria-rowindex', '2');
    await page.keyboard.press('End');
    await expect(ui.row('flag.09999')).toBeVisible();
    await expect(ui.row('flag.09999')).toHaveAttribute('aria-rowindex', '10001');
    expect(await page.locator('*').count()).toBeLessThan(1_500);
    await ui.search.fill('g.0512[34]');
    await ui.search.press('Enter');
    await ui.expectNames('flag.05123', 'flag.05124');
  });

  test('fetches at most 165 kB before its first row; the rest waits until the browser is idle', async ({
    page,
    ui,
    stub,
  }) => {
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    await page.goto('features');
    await ui.expectNames('shop.basket');
    const files = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name, initiatorType }) => /\.(js|css)$/.test(name) || initiatorType === 'navigation')
        .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
    );
    const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(bytes, JSON.stringify(files, null, 2)).toBeLessThanOrEqual(165_000);
    // A total of a few kilobytes would mean that the browser hides the sizes.
    expect(bytes).toBeGreaterThan(50_000);
  });
});
