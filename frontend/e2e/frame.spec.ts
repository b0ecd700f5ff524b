// The page frame: menus, redirects, theme, layout, skip link and drawer. Titles, sections and the locale:
// ../src/layout/frame.test.tsx.

import { expect, test } from './support/fixtures';
import { gate } from './support/gate';

const PAGES = ['Feature toggles', 'Evaluation', 'Event history', 'Applications', 'Archive'];
/** The menu of the footer omits pages that are not in the specification. */
const FOOTER = ['Feature toggles', 'Event history', 'Applications', 'Archive', 'Strategies', 'Tag types', 'Addons'];
const SET_UP = ['Strategies', 'Tag types', 'Addons', 'Plans'];
/** Only the embedded service has these. */
const SET_UP_EMBEDDED = ['Strategies', 'Segments', 'Tag types', 'Addons', 'Plans', 'API tokens'];

test('each menu lists all pages, and each entry opens its page [S2-002] [S2-003] [S1-005]', { tag: '@reach' }, async ({
  page,
  ui,
  backend,
}) => {
  await page.goto('');
  await expect(page).toHaveURL(/\/features$/);
  const signOut = backend === 'upstream' ? ['Sign out'] : [];
  const pages = [...PAGES, ...(backend === 'upstream' ? SET_UP : SET_UP_EMBEDDED)];
  await expect(ui.menu.getByRole('link')).toHaveText([...pages, ...signOut].map((name) => new RegExp(`^${name}`)));
  await expect(ui.footerMenu.getByRole('link')).toHaveText(FOOTER);
  for (const [menu, names] of [
    [ui.menu, pages],
    [ui.footerMenu, FOOTER],
  ] as const) {
    for (const name of names) {
      await menu.getByRole('link', { name }).click();
      await expect(ui.main.getByRole('heading', { level: 1, name: new RegExp(name, 'i') })).toBeVisible();
      await expect(menu.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    }
  }
});

test('a menu at the left edge of a page does not cover the side menu', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await ui.property('Toggle type').click();
  const popup = page.getByRole('menu').filter({ has: page.getByRole('menuitemradio', { name: 'Release' }) });
  await expect(popup).toBeVisible();
  const menu = await ui.menu.boundingBox();
  await expect
    .poll(async () => (await popup.boundingBox())?.x)
    .toBeGreaterThanOrEqual((menu?.x ?? 0) + (menu?.width ?? 0));
});

test('a URL of the old console leads to the same page', { tag: '@embedded' }, async ({ page, flags }) => {
  await flags.create({ name: 'my.flag.js' });
  await page.goto('#/features/strategies/my.flag.js');
  await expect(page).toHaveURL(/\/features\/strategies\/my\.flag\.js$/);
  await expect(page.getByRole('heading', { name: 'my.flag.js' })).toBeVisible();
});

test.describe('the theme', { tag: '@embedded' }, () => {
  const colourScheme = () => getComputedStyle(document.documentElement).colorScheme;

  test('follows the system until the user chooses one, and applies the choice before the first paint', async ({
    page,
    ui,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('features');
    const darkBody = await ui.backgroundColor();
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => ui.backgroundColor()).not.toBe(darkBody);
    await ui.chooseTheme('Dark');
    await expect.poll(() => ui.backgroundColor()).toBe(darkBody);
    // Without the scripts, only the code before the first paint sets the theme.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload({ waitUntil: 'domcontentloaded' });
    // The styles may arrive after the document.
    await expect.poll(() => page.evaluate(colourScheme)).toContain('dark');
    await expect.poll(() => ui.backgroundColor()).toBe(darkBody);
  });
});

test('header settings work before later chunks are loaded', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  // Only the chunks of the first page load.
  await page.route(/assets\/(?!index|vendor|rolldown)[^/]+\.js$/, () => undefined);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  const exact = ui.row('shop.basket').locator('time').first();
  await ui.chooseLocale(/^Deutsch/);
  await expect(exact).toHaveAttribute('data-tip', /^\d\d\.\d\d\.\d{4}, /);
  await ui.chooseTheme('Dark');
  await expect(page.locator('html')).toHaveClass(/dark/);
});

test('a link to a toggle loads the code of its page at once, and needs no other code', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  // Only start.js runs.
  await page.route('**/assets/index-*.js', () => undefined);
  const requests = [/assets\/toggle-[^/]+\.js$/, /assets\/ui-[^/]+\.js$/].map((url) => page.waitForRequest(url));
  await page.goto('features/strategies/shop.basket', { waitUntil: 'commit' });
  await Promise.all(requests);
  await page.unrouteAll();
  await page.route(/assets\/(?!index|vendor|rolldown|toggle|ui)[^/]+\.js$/, () => undefined);
  await page.goto('features/strategies/shop.basket', { waitUntil: 'commit' });
  await expect(ui.activation.strategy('default')).toBeVisible();
});

/** Part of the Layout Instability API that TypeScript does not declare. */
interface LayoutShift extends PerformanceEntry {
  sources: { node: Node; previousRect: DOMRect; currentRect: DOMRect }[];
}

test('the page has no layout shifts while it loads', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.addInitScript(() => {
    const shifts = Object.assign(globalThis, { jumps: [] as string[] }).jumps;
    new PerformanceObserver((list) => {
      const sources = (list.getEntries() as LayoutShift[]).flatMap((entry) => entry.sources);
      for (const { node, previousRect: before, currentRect: after } of sources) {
        const distance = Math.max(Math.abs(after.x - before.x), Math.abs(after.y - before.y));
        // Ignores invisible shifts, such as that of a number with one more digit or of a text when its font loads.
        if (distance > 4) shifts.push(`${distance} px: ${node.textContent} ${(node as HTMLElement).className ?? ''}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // The permissions arrive after the toggles.
  await page.route('**/api/admin/user', async (route) => {
    await expect(ui.row('shop.basket')).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await route.continue();
  });
  await page.goto('features');
  await expect(page.getByRole('link', { name: 'New toggle' })).toBeVisible();
  await expect(ui.footer).toContainText('Instance');
  expect(await page.evaluate(() => (globalThis as unknown as { jumps: string[] }).jumps)).toEqual([]);
});

test('the footer is complete at the first paint, in two rows [S2-113] [S2-114]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.createMany('toggle-', 3);
  // No data has arrived.
  const data = gate();
  await page.route(/\/(api|-)\//, async (route) => {
    await data.opened;
    await route.continue();
  });
  await page.goto('history');
  await expect(ui.footerMenu.getByRole('link', { name: 'Addons' })).toBeVisible();
  await expect(ui.footer.getByRole('link', { name: 'Node.js' })).toBeVisible();
  const before = await ui.footer.boundingBox();
  expect(before?.height).toBeLessThan(80);
  data.open();
  await expect(ui.footer).toContainText('Instance');
  await expect.poll(async () => (await ui.footer.boundingBox())?.height).toBe(before?.height);
});

test('the first Tab focuses a link that skips the menu', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('features');
  await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: /skip/i });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(ui.main).toBeFocused();
});

test('the palette opens from a search field in the header, below 900 px from an icon', { tag: '@embedded' }, async ({
  page,
}) => {
  await page.goto('history');
  for (const { width, hasField } of [
    { width: 1280, hasField: true },
    { width: 900, hasField: true },
    { width: 899, hasField: false },
    { width: 360, hasField: false },
  ]) {
    await page.setViewportSize({ width, height: 740 });
    const search = page.getByRole('banner').getByRole('button', { name: /^Search or run a command/ });
    await expect(search.getByText(/^(Ctrl|⌘) K$/)).toBeVisible({ visible: hasField });
    await expect.poll(async () => ((await search.boundingBox())?.width ?? 0) > 200).toBe(hasField);
    await search.click();
    await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(search).toBeFocused();
  }
});

test.describe('on a phone', { tag: '@embedded' }, () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('each list of links in the footer is one row, and all links can be reached', async ({ page, ui }) => {
    await page.goto('history');
    await expect.poll(async () => (await ui.footer.boundingBox())?.height).toBeLessThan(160);
    const last = ui.footer.getByRole('link', { name: 'PHP' });
    await last.focus();
    await expect(last).toBeInViewport({ ratio: 1 });
  });

  test('the menu is a drawer that closes on navigation, also for the way back, and each page starts at the top [S2-032]', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.createMany('old.', 30);
    // The target page must be long: a short page is always at its top.
    await flags.archiveMany('old.', 30);
    await flags.createMany('flag.', 30);
    await page.goto('features');
    await expect(ui.menu).toBeHidden();
    // A page that has no rows yet is too short to scroll.
    await expect(ui.names().first()).toBeVisible();
    await page.mouse.wheel(0, 1_500);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500);
    await ui.openDrawer();
    await ui.menu.getByRole('link', { name: 'Archive' }).click();
    await expect(page).toHaveURL(/\/archive$/);
    await expect(ui.menu).toBeHidden();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    // An open drawer hides the page from screen readers.
    await expect(page.getByRole('heading', { level: 1, name: 'Feature toggles' })).toBeVisible();
    await expect(ui.menu).toBeHidden();
    await ui.openDrawer();
    await page.keyboard.press('Escape');
    await expect(ui.menu).toBeHidden();
  });

  test('no page is wider than the screen, also while it loads', async ({ page, ui, flags }) => {
    const name = `long.${'name-'.repeat(18)}`;
    await flags.create({ name, description: 'word '.repeat(40), stale: true });
    const named = ui.main.getByText(name).first();
    const pages = {
      features: named,
      'features/create': ui.main.getByRole('button', { name: 'Create' }).first(),
      [`features/strategies/${name}`]: named,
      history: named,
      archive: ui.main.getByText('No archived toggles'),
    };
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    for (const [path, content] of Object.entries(pages)) {
      const data = gate();
      await page.route('**/api/**', async (route) => {
        await data.opened;
        await route.continue();
      });
      await page.goto(path);
      await expect(ui.main).toBeVisible();
      if (path === 'history') await expect(ui.main.getByRole('status', { name: 'Loading the history' })).toBeVisible();
      expect(await width(), `${path}, loading`).toBeLessThanOrEqual(360);
      data.open();
      await expect(content).toBeVisible();
      expect(await width(), path).toBeLessThanOrEqual(360);
      await page.unroute('**/api/**');
    }
  });
});

test('a breadcrumb that repeats the side menu is shown only where the menu is closed', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  const breadcrumb = ui.main.getByRole('navigation', { name: 'Breadcrumb' });
  for (const [width, path, isShown] of [
    [1280, 'features/strategies/shop.basket', false],
    [1280, 'projects/create', true],
    [1000, 'features/strategies/shop.basket', true],
    [360, 'features/strategies/shop.basket', true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(breadcrumb, `${path} at ${width} px`).toBeVisible({ visible: isShown });
  }
});
