// The layout on phones: the toggle page, the lists of small entities, and dialogs.

import type { Locator, Page } from '@playwright/test';
import { axeViolations, unreachableElements } from './support/accessibility';
import { reportApplication } from './support/applications';
import { changeSystemTheme } from './support/colours';
import { entries } from './support/events';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import type { Ui } from './support/ui';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const LONG_NAME = `shop.${'checkout-with-a-very-long-name-'.repeat(2)}end`;
const LONG_DESCRIPTION =
  'The whole checkout on a single page instead of four steps. Half of our customers see it. '.repeat(3);

const top = async (ui: Ui) => (await ui.page.getByRole('navigation', { name: 'Toggle sections' }).boundingBox())?.y;

test.describe('the page of a toggle', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flags }) => {
    await flags.post('admin/projects', { id: 'web', name: 'Web shop', description: '' });
    await flags.create(
      { name: 'shop.basket', description: 'A larger basket' },
      { name: 'shop.gone', description: LONG_DESCRIPTION, stale: true },
      { name: LONG_NAME, description: LONG_DESCRIPTION, stale: true },
    );
    await flags.archive('shop.gone');
    for (const value of ['winter sale', 'checkout', 'a tag with a long value', 'mobile']) {
      await flags.post('admin/tags', { type: 'simple', value });
      await flags.post(`admin/features/${LONG_NAME}/tags`, { type: 'simple', value });
    }
  });

  test('starts its tabs within 290 px, with the switch in a row of its own', async ({ page, ui }) => {
    for (const [name, path] of [
      ['shop.basket', 'features/strategies/shop.basket'],
      [LONG_NAME, `features/strategies/${LONG_NAME}`],
      ['shop.gone', 'archive/strategies/shop.gone'],
    ] as const) {
      await page.goto(path);
      await expect(ui.main.getByText(/^Last seen/).first()).toBeAttached();
      if (name === LONG_NAME) await expect(ui.tags).toHaveCount(4);
      await expect.poll(() => top(ui), name).toBeLessThanOrEqual(290);
      const heading = await ui.main.getByRole('heading', { level: 1 }).boundingBox();
      const toggle = await ui.main.getByRole('switch').boundingBox();
      if (!heading || !toggle) throw new Error('The heading or the switch is missing');
      if (name !== 'shop.gone') expect(heading.y + heading.height).toBeLessThanOrEqual(toggle.y);
      await expect(ui.main.getByRole('switch').locator('..')).toContainText(/Enabled|Disabled/);
      expect(await unreachableElements(page), name).toEqual([]);
    }
  });

  test('begins its first rule within the first screen, and always shows the controls of rows', async ({
    page,
    ui,
    flags,
  }) => {
    const constraints = [{ contextName: 'environment', operator: 'IN', values: ['staging', 'production'] }];
    await flags.update('shop.basket', {
      strategies: [
        { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId', groupId: 'a' }, constraints },
        { name: 'userWithId', parameters: { userIds: 'anna,bo,carla' } },
      ],
    });
    await page.goto('features');
    expect(
      await ui.rowMenuButton('shop.basket').evaluate((one) => one.checkVisibility({ opacityProperty: true })),
    ).toBe(true);
    await page.goto('features/strategies/shop.basket');
    const rule = ui.activation.strategy('flexibleRollout');
    await expect(rule).toBeVisible();
    await expect(ui.main.getByText(/^Last seen/).first()).toBeAttached();
    expect((await rule.boundingBox())?.y).toBeLessThan(600);
    // A target of at least 24 px, although the text is lower.
    for (const name of ['Edit flexibleRollout', 'Actions for flexibleRollout']) {
      const { width = 0, height = 0 } = (await rule.getByRole('button', { name }).boundingBox()) ?? {};
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(24);
    }
  });

  test('has one row of metadata that scrolls, and shows a long description on request', async ({ page, ui }) => {
    await page.goto(`features/strategies/${LONG_NAME}`);
    await expect(ui.tags).toHaveCount(4);
    const row = ui.property('Toggle type').locator('..');
    const { clientWidth, scrollWidth, clientHeight } = await row.evaluate((one) => ({
      clientWidth: one.clientWidth,
      scrollWidth: one.scrollWidth,
      clientHeight: one.clientHeight,
    }));
    expect(clientWidth).toBe(360);
    expect(scrollWidth).toBeGreaterThan(clientWidth);
    expect(clientHeight).toBe(44);
    const addTag = ui.main.getByRole('button', { name: 'Add tag' });
    await expect(addTag).not.toBeInViewport();
    await addTag.focus();
    await expect(addTag).toBeInViewport();
    const before = (await top(ui)) ?? 0;
    await ui.main.getByRole('button', { name: 'More', exact: true }).click();
    await expect.poll(async () => ((await top(ui)) ?? 0) - before).toBeGreaterThan(60);
    await ui.main.getByRole('button', { name: 'Less', exact: true }).click();
    await expect.poll(() => top(ui)).toBe(before);
  });

  test('has its other actions in one menu', async ({ page, ui, flags }) => {
    await page.goto('features/strategies/shop.basket');
    const menu = ui.main.locator('header').first().getByRole('button', { name: 'Actions for shop.basket' });
    await expect(menu).toBeVisible();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Status' }).click();
    await page.getByRole('menuitemradio', { name: 'Mark toggle as Stale' }).click();
    await expect(ui.snackbar).toContainText('shop.basket marked as Stale.');
    await expect(ui.main.getByText('Stale', { exact: true })).toBeVisible();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    await expect(page).toHaveURL(/features\/copy\/shop\.basket$/);
    await page.goBack();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await ui.dialog.getByRole('button', { name: 'Archive' }).click();
    await expect(page).toHaveURL(/\/features$/);
    expect(await flags.findArchived('shop.basket')).toBeDefined();
  });
});

test('a warning about missing values comes when the field is left, and moves nothing', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await ui.activation.openAddStrategyMenu();
  await ui.activation.strategyItem('userWithId').tap();
  const warnings = ui.main.getByRole('region', { name: 'Warnings' });
  const field = ui.activation.strategy('userWithId').getByLabel('userIds');
  await expect(field).toBeFocused();
  await expect(warnings).toBeHidden();
  const topOf = async () => (await ui.activation.strategy('userWithId').boundingBox())?.y;
  const before = await topOf();
  await field.blur();
  await expect(warnings).toContainText('no one gets it');
  expect(await topOf()).toBe(before);
  await field.focus();
  await expect(warnings).toBeHidden();
  await page.keyboard.type('ada,');
  await expect(warnings).toHaveCount(0);
  await expect.poll(topOf).toBe(before);
});

test('links of the usage are on one line with their terms', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await reportApplication(flags, 'shop-web', { toggles: ['shop.basket'] });
  await page.goto('features/strategies/shop.basket');
  const usage = ui.main.getByRole('complementary', { name: 'Usage' });
  await expect(usage.getByRole('link', { name: 'shop-web' })).toBeVisible();
  // The term fills its row, so the position of its text is measured.
  const middleOf = (element: Locator) =>
    element.evaluate((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      const { top: start, height } = text.getBoundingClientRect();
      return start + height / 2;
    });
  const difference =
    (await middleOf(usage.getByText('Applications'))) - (await middleOf(usage.getByRole('link', { name: 'shop-web' })));
  expect(Math.abs(difference)).toBeLessThan(2);
});

/** Creates at least twelve items in each list, because longer lists have a search field. */
async function fillLists(flags: Flags): Promise<void> {
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gone' });
  await flags.archive('shop.gone');
  for (const n of numbers) {
    await flags.post('admin/strategies', { name: `byRegion${n}`, description: 'On in some regions', parameters: [] });
    await flags.post('admin/context', {
      name: `region${n}`,
      description: 'A region',
      legalValues: ['eu'],
      stickiness: true,
    });
    await flags.post('admin/projects', { id: `web${n}`, name: `Web ${n}`, description: 'The web shop' });
    await flags.post('admin/tag-types', { name: `team${n}`, description: 'A team', icon: 'T' });
    await flags.post('admin/tags', { type: 'simple', value: `winter${n}` });
  }
  await flags.post('admin/addons', {
    provider: 'webhook',
    enabled: true,
    description: 'Tells the audit log',
    parameters: { url: 'http://127.0.0.1:9/hook' },
    events: ['feature-created'],
  });
  await reportApplication(flags, 'shop-web', { toggles: ['shop.basket'] });
}

const LISTS = [
  { path: 'features', row: 'shop.basket' },
  { path: 'archive', row: 'shop.gone' },
  { path: 'strategies', row: 'byRegion1' },
  { path: 'applications', row: 'shop-web' },
  { path: 'context', row: 'region1' },
  { path: 'projects', row: 'Web 1' },
  { path: 'tag-types', row: 'team1' },
  { path: 'tags', row: 'winter1' },
  { path: 'addons', row: 'Webhook 1' },
];

const rowTops = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('tbody tr')].map((row) => {
      const { top: start, height } = row.getBoundingClientRect();
      return { start: start + scrollY, height };
    }),
  );

test('the rows of each list start within 180 px and have no gaps', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await fillLists(flags);
  for (const { path, row } of LISTS) {
    await page.goto(path);
    await expect(ui.row(row).first(), path).toBeVisible();
    const [first] = await rowTops(page);
    expect(first?.start, path).toBeLessThanOrEqual(180);
    // The name and one line of metadata: 10 px above and below, a target of 44 px, and a line of 18 px.
    const line = ui.row(row).first();
    await expect.poll(async () => (await line.boundingBox())?.height, path).toBeLessThanOrEqual(102);
    expect(await unreachableElements(page), path).toEqual([]);
  }
});

test('the entries of the history start within 180 px', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  for (const path of ['history', 'history/shop.basket']) {
    await page.goto(path);
    await expect(entries(ui), path).toHaveCount(1);
    await expect.poll(async () => (await entries(ui).boundingBox())?.y, path).toBeLessThanOrEqual(180);
    expect(await unreachableElements(page), path).toEqual([]);
  }
});

test('the filters of the history are behind a button that counts the active ones', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gone' });
  await flags.archive('shop.gone');
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(3);
  await expect(page.getByLabel('Type', { exact: true })).toHaveCount(0);
  await ui.openFilters();
  await expect(ui.filters.getByLabel('Changed by')).toBeFocused();
  await expect(ui.filters.getByRole('group', { name: 'Time: Any time' })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await changeSystemTheme(page, colorScheme);
    expect(await axeViolations(page), colorScheme).toEqual([]);
  }
  await ui.filters.getByLabel('Type', { exact: true }).selectOption('feature-created');
  await ui.filters.getByRole('button', { name: 'Last hour' }).tap();
  await expect(ui.filters.getByRole('group', { name: 'Time: Last hour' })).toBeVisible();
  await ui.filters.getByRole('switch', { name: 'Full events' }).check();
  const actions = ui.filters.getByRole('button', { name: 'Actions for the events' });
  await actions.tap();
  await expect(page.getByRole('menuitem', { name: 'Copy as JSON' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(actions).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(ui.filters).toBeHidden();
  const button = page.getByRole('button', { name: 'Filter 2 active', exact: true });
  await expect(button).toBeFocused();
  await expect(entries(ui)).toHaveCount(2);
  await expect(entries(ui).first()).toContainText('"name": "shop.gone"');
  await expect(ui.main.getByRole('status')).toHaveText('2 of 3 events');
  await page.reload();
  await expect(button).toBeVisible();
  await ui.main.getByRole('button', { name: 'Clear all' }).tap();
  await expect(entries(ui)).toHaveCount(3);
  await expect(ui.main.getByRole('status')).toHaveText('');
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeVisible();
  await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
});

test('at a zoom of 200 %, the filters of a list are in one row, and names are not cut', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/projects', { id: 'web', name: 'Web shop', description: '' });
  const name = 'account.loyalty-prices';
  await flags.create({ name, stale: true }, { name: 'shop.gone' });
  await flags.archive('shop.gone');
  // The viewport of a window of 1280 by 800 pixels at this zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  for (const path of ['features', 'archive', 'history']) {
    await page.goto(path);
    await expect.poll(async () => (await page.getByRole('search').boundingBox())?.height, path).toBeLessThanOrEqual(44);
  }
  await page.goto('features');
  await ui.openFilters();
  await ui.filters.getByLabel('Sort by').selectOption('Type');
  await expect(ui.columnHeader('Type')).toHaveAttribute('aria-sort', 'ascending');
  const line = ui.row(name).getByRole('link', { name, exact: true }).locator('..');
  await expect.poll(() => line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('metadata is one text that dots separate', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.post('admin/projects', { id: 'web', name: 'Web', description: 'The web shop' });
  await page.goto('projects');
  const cells = ui.row('Web').getByRole('cell');
  await expect(ui.row('Web')).toContainText('0 toggles');
  // The id, the description and the number of toggles are on one line: their middles differ by less than the
  // rounding that two fonts cause. All positions are read in one layout.
  await expect
    .poll(() =>
      cells.evaluateAll((all) => {
        const middles = all.slice(0, 3).map((cell) => {
          const { top, bottom } = cell.getBoundingClientRect();
          return (top + bottom) / 2;
        });
        return Math.max(...middles) - Math.min(...middles);
      }),
    )
    .toBeLessThan(4);
  const dots = await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, '::before').content));
  expect(dots.slice(0, 3).map((content) => content.includes('·'))).toEqual([false, true, true]);
});

test('no dot is at the end of a line of metadata', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const description = 'Takes the orders and the payments of all customers in the shop.';
  await flags.post('admin/projects', { id: 'web', name: 'Web', description });
  await page.goto('projects');
  await expect(ui.row('Web')).toContainText('0 toggles');
  const dots = await ui.row('Web').evaluate((row) => {
    const cover = row.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(row, '::before').width) + 4;
    return [...row.querySelectorAll('td')].flatMap((cell) => {
      const { content, left } = getComputedStyle(cell, '::before');
      const x = cell.getBoundingClientRect().left + Number.parseFloat(left);
      return content.includes('·') ? [{ text: cell.textContent, isCovered: x < cover }] : [];
    });
  });
  // Each of them begins a line, where the row covers its dot.
  expect(dots).toEqual([
    { text: description, isCovered: true },
    { text: '0 toggles', isCovered: true },
  ]);
});

test('rows of the toggle list show the users who get the toggle in a line of their own', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const parameters = { rollout: '50', stickiness: 'default', groupId: 'shop.basket' };
  const constraints = [{ contextName: 'environment', operator: 'IN', values: ['staging'] }];
  await flags.create({
    name: 'shop.basket',
    strategies: [{ name: 'flexibleRollout', parameters, constraints }],
  });
  await page.goto('features');
  const row = ui.row('shop.basket');
  const audience = row.getByText('50\u00a0% of users in staging');
  await expect(audience).toBeVisible();
  // It is not cut, although it continues below the button of the row.
  await expect.poll(() => audience.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const menu = await row.getByRole('button', { name: 'Actions for shop.basket' }).boundingBox();
  const line = await audience.boundingBox();
  // Below the dots of the button.
  expect(line?.y).toBeGreaterThanOrEqual((menu?.y ?? 0) + (menu?.height ?? 0) / 2 + 5);
});

test('secondary actions of a list are in one menu', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await reportApplication(flags, 'shop-web', { toggles: ['shop.new'] });
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await ui.main.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Copy as JSON' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Projects' }).click();
  await expect(page).toHaveURL(/\/projects$/);
  await page.goto('tag-types');
  await ui.main.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'All tags' }).click();
  await expect(page).toHaveURL(/\/tags$/);
  await page.goto('applications');
  await ui.main.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Connect' }).click();
  await expect(ui.dialog.getByLabel('Client SDK')).toBeVisible();
  await page.keyboard.press('Escape');
  await ui.main.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Missing toggles' }).click();
  await expect(page).toHaveURL(/\/missing-toggles$/);
});

test('a dialog is a sheet at the bottom edge, with its actions in view', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', variants: [{ name: 'blue', weight: 1000, weightType: 'variable' }] });
  await page.goto('features/variants/shop.basket');
  await ui.variants.open('blue');
  await expect
    .poll(async () => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await ui.dialog.boundingBox()) ?? {};
      return { x, width, bottom: Math.round(y + height) };
    })
    .toEqual({ x: 0, width: 360, bottom: 740 });
  await page.setViewportSize({ width: 360, height: 400 });
  const save = ui.dialog.getByRole('button', { name: 'Save' });
  await expect(save).toBeInViewport({ ratio: 1 });
  await expect.poll(async () => (await ui.dialog.boundingBox())?.y).toBeGreaterThan(0);
  // The content scrolls inside.
  const [scroll, client] = await ui.dialog.evaluate((one) => [one.scrollHeight, one.clientHeight]);
  expect(scroll).toBeGreaterThan(client ?? 0);
  for (const place of [0, 9_999]) {
    await ui.dialog.evaluate((one, to) => one.scrollTo(0, to), place);
    await expect(save).toBeInViewport({ ratio: 1 });
  }
  await save.click();
  await expect(ui.dialog).toBeHidden();
});
