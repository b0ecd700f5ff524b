// The event history of all toggles and of one toggle: descriptions, and URLs of events. Filters, locales and undo:
// ../src/features/history/historyPages.test.tsx.

import type { Locator } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { entries, expandEntry, undoButton } from './support/events';
import { EMAIL, expect, test } from './support/fixtures';
import type { Flags } from './support/flags';

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
  await expect(update.getByRole('listitem').filter({ hasText: 'Description' }).last()).toHaveText(
    /^Description\s*before: Small → after: Large$/,
  );
  await expect(update).toContainText(/flexibleRollout added/);
  // Without a previous version, the event shows its data.
  await expandEntry(entries(ui).nth(2));
  await expect(entries(ui).nth(2)).toContainText(/Description\s*after: Somewhere/);
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
  await ui.menu.getByRole('link', { name: 'Event history' }).click();
  await expect(entries(ui)).toHaveCount(5);
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
