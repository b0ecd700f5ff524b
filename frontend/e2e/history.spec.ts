// The event history of all toggles and of one toggle: descriptions, filters, and URLs of events.

import type { Locator, Page } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { entries, expandEntry, undoButton } from './support/events';
import { EMAIL, expect, stubTest, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { toggle } from './support/stubUpstream';

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search events' });

async function seed(flags: Flags): Promise<void> {
  await flags.create({ name: 'shop.basket', description: 'Small' }, { name: 'shop.gone' });
  await flags.post('admin/strategies', { name: 'byRegion', description: 'Somewhere', parameters: [] });
  await flags.update('shop.basket', {
    description: 'Large',
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'g' } }],
  });
  await flags.archive('shop.gone');
}

test('lists all events with a description and a diff [S2-011] [S1-003] [S3-024] [S3-026] [S7-033]', {
  tag: '@whole-toggle-events',
}, async ({ page, ui, flags, backend }) => {
  await seed(flags);
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(5);
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('Event history');
  await expect(ui.main.getByRole('heading', { level: 2 })).toHaveText('Today');
  await expect(entries(ui)).toContainText([
    'archived shop.gone',
    /changed shop\.basket.*added flexibleRollout: 25\s% of users.*removed default.*\+1/,
    'created the strategy byRegion',
    'created shop.gone',
    'created shop.basket',
  ]);
  const update = entries(ui).nth(1);
  await expect(update).toContainText(backend === 'upstream' ? EMAIL : 'operator');
  await expect(update.getByRole('link', { name: 'shop.basket' })).toBeVisible();
  await expect(update.locator('time')).toHaveAttribute('data-tip', /\d\d:\d\d:\d\d/);
  // Rows are collapsed by default.
  await expect(update.getByRole('listitem')).toHaveCount(0);
  await expandEntry(update);
  await expect(update).toContainText('feature-updated');
  await expect(update.getByRole('listitem').filter({ hasText: 'description' }).last()).toHaveText(
    /^description\s*before: Small → after: Large$/,
  );
  await expect(update).toContainText(/flexibleRollout added/);
  // Without a previous version, the event shows its data.
  await expandEntry(entries(ui).nth(2));
  await expect(entries(ui).nth(2)).toContainText(/description\s*after: Somewhere/);
});

test('filters by text, user, type and time, and keeps the filters in the URL', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await seed(flags);
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(5);
  await search(page).fill('LARGE basket');
  await expect(entries(ui)).toHaveCount(1);
  await expect(ui.main.getByRole('status')).toHaveText('1 of 5 events');
  await expect(page).toHaveURL(/search=LARGE\+basket/);
  await search(page).fill('');
  await search(page).press('Enter');
  await page.getByLabel('Type', { exact: true }).selectOption('feature-created');
  await expect(entries(ui)).toHaveCount(2);
  await page.reload();
  await expect(entries(ui)).toHaveCount(2);
  await page.getByLabel('Changed by').selectOption({ index: 1 });
  await expect(entries(ui)).toHaveCount(2);
  const period = page.getByRole('group', { name: 'Period' });
  await expect(period.getByRole('button', { name: 'Any time' })).toHaveAttribute('aria-pressed', 'true');
  await period.getByRole('button', { name: 'Range…' }).click();
  await page.getByLabel('Until').fill('2020-01-05T10:00');
  await expect(page.getByText('No event matches')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(period.getByRole('button', { name: 'Until 5 Jan, 10:00' })).toBeVisible();
  await period.getByRole('button', { name: 'Yesterday' }).click();
  await expect(page.getByText('No event matches')).toBeVisible();
  await period.getByRole('button', { name: 'Today' }).click();
  await expect(entries(ui)).toHaveCount(2);
  await page.reload();
  await expect(period.getByRole('button', { name: 'Today' })).toHaveAttribute('aria-pressed', 'true');
  await period.getByRole('button', { name: 'Last hour' }).click();
  await expect(period.getByRole('button', { name: 'Last hour' })).toHaveAttribute('aria-pressed', 'true');
  await expect(entries(ui)).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(entries(ui)).toHaveCount(5);
  await expect(page).toHaveURL(/\/history$/);
  await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
});

const timeLink = (entry: Locator) => entry.getByRole('link').filter({ has: entry.page().locator('time') });

test('each event has its own URL', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create(...Array.from({ length: 30 }, (_, at) => ({ name: `flag.${at}` })));
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(30);
  const oldest = entries(ui).last();
  const address = await timeLink(oldest).getAttribute('href');
  expect(address).toMatch(/history\?event=\d+$/);
  await page.goto('features');
  await page.goto(address?.replace(/^.*history/, 'history') ?? '');
  await expect(oldest).toBeInViewport();
  await expect(oldest).toHaveAttribute('aria-current', 'true');
  await expect(oldest.getByRole('button').first()).toBeFocused();
  await expect(oldest.getByRole('button').first()).toHaveAttribute('aria-expanded', 'true');
  await expect(ui.main.locator('[aria-current=true]')).toHaveCount(1);
  // Follows the link of an event further up.
  const newest = entries(ui).first();
  await timeLink(newest).click();
  await expect(newest).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(oldest).toHaveAttribute('aria-current', 'true');
});

test('an event that the server no longer returns is reported as not among the newest', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('history?event=999999');
  await expect(ui.main.getByRole('status').filter({ hasText: 'Event 999999 is not among the newest' })).toBeVisible();
  await ui.main.getByRole('link', { name: 'Show the newest events' }).click();
  await expect(page).toHaveURL(/\/history$/);
  await expect(ui.main).not.toContainText('is not among');
});

test('events link to their subject while it exists, and changes of a toggle to its log at the change', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await seed(flags);
  await flags.create({ name: 'shop.short' });
  await flags.archive('shop.short');
  await page.goto('history?search=shop.short');
  await expect(entries(ui)).toHaveCount(2);
  await entries(ui).first().getByRole('link', { name: 'shop.short' }).click();
  await expect(page).toHaveURL(/\/features\/history\/shop\.short\?event=\d+$/);
  await expect(entries(ui).first()).toHaveAttribute('aria-current', 'true');
  await page.goto('history?search=Large');
  await entries(ui).first().getByRole('link', { name: 'shop.basket' }).click();
  await expect(page).toHaveURL(/\/features\/history\/shop\.basket\?event=\d+$/);
  await expect(entries(ui)).toHaveCount(2);
  await expect(entries(ui).first()).toHaveAttribute('aria-current', 'true');
  await expect(entries(ui).first()).toContainText('after: Large');
  await expect(entries(ui).first()).toBeInViewport();
  await page.goto('history?type=strategy-created');
  await expect(entries(ui).getByRole('link', { name: 'byRegion' })).toHaveAttribute(
    'href',
    /strategies\/view\/byRegion$/,
  );
  await flags.remove('admin/strategies/byRegion');
  await page.goto('history?search=byRegion');
  await expect(entries(ui)).toHaveCount(2);
  await expect(entries(ui).getByRole('link', { name: 'byRegion' })).toHaveCount(0);
});

test('a toggle has its own history [S2-012] [S3-025] [S7-034]', { tag: ['@whole-toggle-events', '@reach'] }, async ({
  page,
  ui,
  flags,
}) => {
  await seed(flags);
  await page.goto('history/shop.basket');
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('shop.basket');
  await expect(entries(ui)).toContainText([/changed shop\.basket.*flexibleRollout/, 'created shop.basket']);
  await timeLink(entries(ui).last()).click();
  await expect(page).toHaveURL(/\/history\/shop\.basket\?event=\d+$/);
  await ui.main.getByRole('link', { name: 'Event history' }).click();
  await expect(entries(ui)).toHaveCount(5);
});

test('percentages use the decimal sign of the selected locale', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const variant = (name: string, weight: number) => ({ name, weight, weightType: 'fix' });
  const rest = { name: 'rest', weight: 500, weightType: 'variable' };
  await flags.create({ name: 'shop.basket', variants: [variant('blue', 125), variant('red', 375), rest] });
  await flags.update('shop.basket', {
    variants: [variant('blue', 333), variant('red', 375), { ...rest, weight: 292 }],
  });
  await flags.create({ name: 'shop.cart', variants: [{ ...rest, weight: 1000 }] });
  await flags.update('shop.cart', { variants: [variant('blue', 333), { ...rest, weight: 1000 }] });
  await page.addInitScript(() => localStorage.setItem('flagdeck:locale', '"de"'));
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(4);
  await expect(entries(ui).first()).toContainText('variant blue: 33,3 %');
  await expandEntry(entries(ui).nth(2));
  await expect(entries(ui).nth(2)).toContainText(/weight\s*before: 12,5\s% → after: 33,3\s%/);
  await page.goto('features/variants/shop.basket');
  await expect(ui.variants.row('blue')).toContainText('33,3 %');
  await expect(
    ui.main.getByRole('img', { name: 'Distribution: blue 33,3\u00a0%, red 37,5\u00a0%, rest 29,2\u00a0%' }),
  ).toBeVisible();
});

test('the history can be searched with the keyboard alone', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await seed(flags);
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(5);
  await page.keyboard.press('/');
  await page.keyboard.type('Large');
  await page.keyboard.press('Enter');
  await expect(entries(ui)).toHaveCount(1);
});

test('a change is one line of 42 px, and its button to undo is shown with the pointer and with the focus', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await seed(flags);
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(5);
  const heights = () =>
    entries(ui).evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  // Rows after the first have a border.
  await expect.poll(heights).toEqual([42, 43, 43, 43, 43]);
  const update = entries(ui).nth(1);
  const opacity = () =>
    undoButton(update).evaluate((button) => getComputedStyle(button.parentElement ?? button).opacity);
  await page.mouse.move(0, 0);
  await expect.poll(opacity).toBe('0');
  await update.hover();
  await expect.poll(opacity).toBe('1');
  await page.mouse.move(0, 0);
  await expect.poll(opacity).toBe('0');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await expect(update.getByRole('button', { expanded: false }).first()).toBeFocused();
  await expect.poll(opacity).toBe('1');
  await tabTo(undoButton(update));
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('Change to shop.basket undone.');
});

test('older events are read in pages from the service', { tag: ['@embedded', '@ci'] }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  for (let change = 0; change < 119; change += 1) {
    await flags.post(`admin/features/shop.basket/toggle/${change % 2 === 0 ? 'off' : 'on'}`);
  }
  for (const path of ['history', 'features/history/shop.basket']) {
    await page.goto(path);
    await expect(ui.main).toContainText('Newest 100 events');
    await ui.main.getByRole('button', { name: 'Show older events' }).click();
    await expect(ui.main).toContainText('No older events');
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(entries(ui)).toHaveCount(120, { timeout: 1000 });
    }).toPass();
    const ids = await entries(ui).evaluateAll((rows) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(120);
  }
});

const event = (id: number, more: object) => ({
  id,
  type: 'feature-updated',
  createdBy: 'somebody',
  createdAt: '2026-01-05T10:00:00.000Z',
  data: { name: 'shop.basket' },
  diffs: null,
  ...more,
});

stubTest.describe('with stubbed events', { tag: '@stub' }, () => {
  stubTest('events are grouped by day, with English words and dates of the locale', async ({ page, ui, stub }) => {
    await page.clock.setFixedTime('2026-06-15T12:00:00.000Z');
    const times = ['2026-06-14T22:30', '2026-06-14T21:30', '2026-06-13T22:30', '2026-05-26T10:00'];
    const days = times.map((time, index) => event(9 - index, { createdAt: `${time}:00.000Z` }));
    const created = toggle('shop.basket', { createdAt: `${times[3]}:00.000Z`, lastSeenAt: '2026-06-15T11:59:20.000Z' });
    stub.respond('GET /api/admin/events', { body: { version: 1, events: days } });
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: days } });
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [created] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: created });
    await page.addInitScript(() => localStorage.setItem('flagdeck:locale', '"de"'));
    for (const [address, level] of [
      ['history', 2],
      ['features/history/shop.basket', 3],
    ] as const) {
      await page.goto(address);
      // The browser is in Oslo, two hours ahead of UTC.
      await expect(ui.main.getByRole('heading', { level })).toHaveText(['Today', 'Yesterday', '26.05.2026']);
      await expect(ui.main.getByRole('region', { name: 'Yesterday' }).locator('li[id]')).toHaveCount(2);
    }
    await expect(ui.main).toContainText('Created 2 weeks ago');
    await expect(ui.main).toContainText('Last seen just now');
  });
});
