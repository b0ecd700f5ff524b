// Filters of the toggle list, their URL, and going back to the list.

import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const TAGGED = { type: 'simple', value: 'winter sale / 50%' };

test.describe('filters', () => {
  test.beforeEach(async ({ flags }) => {
    await flags.create(
      { name: 'shop.basket', type: 'experiment' },
      { name: 'shop.gift-cards', enabled: false },
      { name: 'shop.old', stale: true, enabled: false },
      { name: 'login.passkeys', stale: true },
    );
    for (const name of ['shop.basket', 'shop.old']) await flags.post(`admin/features/${name}/tags`, TAGGED);
    await flags.post('admin/features/shop.old/tags', { type: 'simple', value: 'spring' });
  });

  test('narrow the list by state, status, type and tag, are kept in the URL, and can be removed one by one', {
    tag: ['@tag-filter', '@reach'],
  }, async ({ page, ui }) => {
    await page.goto('features');
    await ui.expectNames('login.passkeys', 'shop.basket', 'shop.gift-cards', 'shop.old');
    await ui.openFilters();
    await ui.filters.getByRole('group', { name: 'State' }).getByText('Off').click();
    await ui.expectNames('shop.gift-cards', 'shop.old');
    await ui.filters.getByRole('group', { name: 'Status' }).getByText('Stale').click();
    await ui.expectNames('shop.old');
    await ui.filters.getByLabel('Tag').selectOption('simple: winter sale / 50%');
    await ui.filters.getByLabel('Type').selectOption('Release');
    await page.keyboard.press('Escape');
    await expect(ui.filters).toBeHidden();
    await expect(ui.activeFilters).toHaveText(['Off', 'Stale', 'Release', 'simple: winter sale / 50%']);
    await expect(ui.main.getByText('1 of 4')).toBeVisible();
    const shared = page.url();
    expect(new URL(shared).searchParams.get('tag')).toBe('simple:winter sale / 50%');

    await ui.removeFilter('Stale');
    await ui.removeFilter('Off');
    await ui.expectNames('shop.old');
    await ui.removeFilter('Release');
    await ui.expectNames('shop.basket', 'shop.old');
    await ui.removeFilter('simple: winter sale / 50%');
    await ui.expectNames('login.passkeys', 'shop.basket', 'shop.gift-cards', 'shop.old');
    expect(new URL(page.url()).search).toBe('');

    // Another user opens the URL.
    await page.goto(shared);
    await ui.expectNames('shop.old');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await ui.expectNames('login.passkeys', 'shop.basket', 'shop.gift-cards', 'shop.old');
    expect(new URL(page.url()).search).toBe('');
  });
});

test('going back restores rows, scroll position and focus', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.createMany('flag.', 80);
  await flags.create({ name: 'flag.off', enabled: false });
  await page.goto('features?state=on');
  await expect(ui.row('flag.000')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 2_400));
  const link = page.getByRole('link', { name: 'flag.045', exact: true });
  await expect(link).toBeVisible();
  // A click would scroll to a link outside the window.
  await link.scrollIntoViewIfNeeded();
  const scrollPosition = await page.evaluate(() => window.scrollY);
  await link.click();
  await expect(page.getByRole('heading', { name: 'flag.045' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(link).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollPosition);
  await expect(ui.activeFilters).toHaveText(['On']);
  await expect(ui.main.getByText('80 of 81')).toBeVisible();
  // A new visit starts at the top.
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await expect(ui.main.getByRole('heading', { level: 1, name: 'Archived toggles' })).toBeVisible();
  await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
  await expect(ui.row('flag.000')).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

stubTest.describe('the list', { tag: '@stub' }, () => {
  stubTest('shows its count and its menu entry in full at 10,000 toggles', async ({ page, ui, stub }) => {
    const features = Array.from({ length: 10_000 }, (_, index) => toggle(`flag.${index}`));
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    await page.goto('features');
    await expect(ui.menu.getByText('10,000')).toBeVisible();
    const cut = () => ui.menu.getByText('Feature toggles').evaluate((label) => label.scrollWidth - label.clientWidth);
    await expect.poll(cut).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 360, height: 740 });
    const heading = await ui.main.getByRole('heading', { level: 1 }).boundingBox();
    const create = await page.getByRole('link', { name: 'New toggle' }).boundingBox();
    expect(create?.y).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0));
  });
});
