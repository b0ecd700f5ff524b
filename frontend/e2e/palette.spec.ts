// The command palette: navigation and toggle actions with the keyboard.

import type { Locator, Page } from '@playwright/test';
import { reportApplication } from './support/applications';
import { expect, stubTest, test } from './support/fixtures';
import { gate } from './support/gate';
import { toggle } from './support/stubUpstream';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or run a command' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

/** Checks that the option is selected, visually and for assistive technology. */
async function expectSelected(page: Page, option: Locator): Promise<void> {
  await expect(option).toHaveAttribute('data-highlighted');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '');
}

async function openPalette(page: Page): Promise<void> {
  // The frame listens to the key before it renders a page.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

test('opens any page, toggle, application and strategy', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await flags.report({ 'shop.basket': { yes: 1, no: 0 } });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  for (const [typed, url] of [
    ['archive', /\/archive$/],
    ['event hist', /\/history$/],
    ['shbask', /\/features\/strategies\/shop\.basket$/],
    ['userwithid', /\/strategies\/view\/userWithId$/],
    ['new toggle', /\/features\/create$/],
  ] as const) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await expect(palette(page).getByRole('option').first()).toHaveAttribute('data-highlighted');
    await page.keyboard.press('Enter');
    await expect(palette(page)).toBeHidden();
    await expect(page).toHaveURL(url);
  }
});

test('lists the applications of the service', { tag: '@embedded' }, async ({ page, flags }) => {
  await reportApplication(flags, 'basket-service');
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('basket-s');
  await expect(palette(page).getByRole('group', { name: 'Applications' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/applications\/basket-service$/);
});

test('runs toggle actions from any page: enable, disable, stale, copy, archive', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('disable shop');
  await expectSelected(page, option(page, 'Disable shop.basket'));
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('shop.basket switched off.');
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: false });

  await openPalette(page);
  await page.keyboard.type('stale mobile');
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('mobile.basket marked as Stale.');

  // Selecting a toggle lists its actions below it.
  await openPalette(page);
  await page.keyboard.type('shop.basket');
  await expect(option(page, 'Enable shop.basket')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expectSelected(page, option(page, 'Enable shop.basket'));
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('shop.basket switched on.');

  await openPalette(page);
  await page.keyboard.type('copy shop');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/copy\/shop\.basket$/);

  await openPalette(page);
  await page.keyboard.type('archive shop.basket');
  await expectSelected(page, option(page, 'Archive shop.basket'));
  await page.keyboard.press('Enter');
  await expect(ui.dialog).toContainText('Are you sure you want to remove this toggle?');
  expect(await flags.find('shop.basket')).toBeDefined();
  await ui.dialog.getByRole('button', { name: 'Archive' }).press('Enter');
  await expect(ui.dialog).toBeHidden();
  expect(await flags.findArchived('shop.basket')).toBeDefined();
});

test('toggles rank first with their state, and pages are found by synonyms', { tag: '@embedded' }, async ({
  page,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.cards', enabled: false });
  await reportApplication(flags, 'shop');
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('shop');
  await expect(palette(page).getByRole('group', { name: 'Applications' })).toBeVisible();
  await expect(palette(page).getByRole('group').first().getByRole('option')).toHaveCount(2);
  await expect(option(page, 'shop.basket on').first()).toBeVisible();
  await expect(option(page, 'shop.cards off').first()).toBeVisible();
  await field(page).fill('evaluate');
  await expectSelected(page, option(page, 'Evaluation'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/evaluation$/);
});

test('set changes the rollout of one of several strategies, and why opens the result of a user', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const rollout = (percentage: string, stickiness: string) => ({
    name: 'flexibleRollout',
    parameters: { rollout: percentage, stickiness, groupId: 'one-page' },
  });
  await flags.create({ name: 'one-page', strategies: [rollout('50', 'default'), rollout('10', 'sessionId')] });
  await flags.report({ 'one-page': { yes: 50, no: 50 } });
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('set one 25');
  await expect(palette(page).getByRole('option')).toHaveText([
    'Set one-page to 25 %Strategy 1, now 50 % of users',
    'Set one-page to 25 %Strategy 2, now 10 % of sessions',
  ]);
  await page.keyboard.press('ArrowDown');
  await expect(palette(page).getByRole('region', { name: 'Impact' })).toContainText('checks per hour');
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('one-page');
  expect((await flags.find('one-page'))?.strategies).toMatchObject([
    { parameters: { rollout: '50' } },
    { parameters: { rollout: '25' } },
  ]);
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(async () => {
    expect((await flags.find('one-page'))?.strategies?.[1]).toMatchObject({ parameters: { rollout: '10' } });
  }).toPass();

  await openPalette(page);
  await page.keyboard.type('why one 4711');
  await expectSelected(page, option(page, 'Why is one-page on or off for 4711?'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/strategies\/one-page#userId=4711$/);
  await expect(ui.main).toContainText(/4711 is at \d+/);
});

test('on the page of a toggle its actions come first, and archiving leaves the page', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await ui.activation.open('shop.basket');
  await openPalette(page);
  await expect(palette(page).getByRole('group').first()).toContainText('Disable shop.basket');
  await page.keyboard.type('archive');
  await expect(option(page, 'Archive shop.basket')).toBeVisible();
  await option(page, 'Archive shop.basket').click();
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect(page).toHaveURL(/\/features$/);
});

test('recently chosen items come first', { tag: '@embedded' }, async ({ page, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'mobile.basket' });
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('mobile.b');
  await expect(option(page, 'mobile.basket').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/mobile\.basket$/);
  await page.goto('history');
  await openPalette(page);
  await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(['mobile.basket']);
  await expectSelected(page, option(page, 'mobile.basket'));
});

test('visited pages are recent items, without the current one', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await ui.row('shop.basket').getByRole('link', { name: 'shop.basket', exact: true }).click();
  await expect(ui.activation.titles().first()).toBeVisible();
  await ui.menu.getByRole('link', { name: 'Strategies' }).click();
  await ui.main.getByRole('link', { name: 'userWithId' }).click();
  await expect(page).toHaveTitle(/^userWithId/);
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await expect(page).toHaveTitle(/^Archive/);
  await openPalette(page);
  const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect(recent).toHaveText(['userWithId', /^Strategies/, 'shop.basket', /^Feature toggles/]);
  await option(page, 'shop.basket').click();
  await expect(page).toHaveTitle(/^shop\.basket/);
  await page.reload();
  await openPalette(page);
  await expect(recent.first()).toHaveText(/^Archive/);
  await expect(recent.filter({ hasText: 'shop.basket' })).toHaveCount(0);
});

test('an action without a name lists toggles that it would change', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.off', enabled: false }, { name: 'mobile.basket' });
  await page.goto('history');
  await openPalette(page);
  await page.keyboard.type('disable ');
  await expect(palette(page).getByRole('option')).toHaveText(['Disable mobile.basket', 'Disable shop.basket']);
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('mobile.basket switched off.');
});

/** Delays the code of the palette until `code` opens; `requested` opens once the page has requested it. */
async function holdPaletteCode(page: Page) {
  const code = gate();
  const requested = gate();
  await page.route('**/assets/{ui,toggle,rest}-*.js', async (route) => {
    requested.open();
    await code.opened;
    await route.continue();
  });
  return { code, requested };
}

test('keeps keys typed before the palette is loaded', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  const { code, requested } = await holdPaletteCode(page);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await ui.search.focus();
  await page.keyboard.press('Control+k');
  await requested.opened;
  await page.keyboard.type('disablee');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(' shop');
  code.open();
  await expect(field(page)).toHaveValue('disable shop');
  await expectSelected(page, option(page, 'Disable shop.basket'));
  // The keys go to the palette, not to the field that had the focus.
  await expect(page.getByRole('searchbox', { includeHidden: true })).toHaveValue('');
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('shop.basket switched off.');
});

for (const how of ['key', 'search field'] as const) {
  const tag = how === 'key' ? ['@embedded'] : ['@embedded', '@ci'];

  test(`keeps all keys typed immediately after opening it with the ${how}`, { tag }, async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    if (how === 'key') await page.keyboard.press('Control+k');
    else await page.getByRole('button', { name: /^Search or run a command/ }).click();
    // The code is not prefetched yet: the keys are typed before, while and after it loads.
    await page.keyboard.type('disable shop.basket', { delay: 5 });
    await expect(field(page)).toHaveValue('disable shop.basket');
    await expectSelected(page, option(page, 'Disable shop.basket'));
  });
}

test('a whole command can be typed before the palette is loaded, and Escape cancels it', {
  tag: '@embedded',
}, async ({ page }) => {
  const { code, requested } = await holdPaletteCode(page);
  await page.goto('features');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await requested.opened;
  await page.keyboard.type('archive');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('context fie');
  await page.keyboard.press('Enter');
  code.open();
  await expect(page).toHaveURL(/\/context$/);
  await expect(palette(page)).toBeHidden();
});

test('switches the theme and restores the focus', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('history');
  const button = page.getByRole('button', { name: /^Search or run a command/ });
  await button.focus();
  const light = await ui.backgroundColor();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('theme dark');
  await expectSelected(page, option(page, 'Theme: Dark'));
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect.poll(() => ui.backgroundColor()).not.toBe(light);
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(button).toBeFocused();
});

test('opens while the user types, but not above a dialog', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  await ui.search.fill('sh');
  await openPalette(page);
  await page.keyboard.press('Escape');
  await expect(ui.search).toBeFocused();
  await ui.choose('shop.basket', 'Archive');
  await expect(ui.dialog).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
  await expect(ui.dialog).toHaveCount(1);
});

test('unsaved input asks for confirmation before the palette leaves the page', { tag: '@embedded' }, async ({
  page,
  ui,
}) => {
  await page.goto('features');
  await ui.openCreateForm();
  await ui.nameField.fill('half.done');
  await openPalette(page);
  await page.keyboard.type('archive');
  await expect(option(page, 'Archive')).toBeVisible();
  await page.keyboard.press('Enter');
  await ui.stay();
  await expect(ui.nameField).toHaveValue('half.done');
});

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  stubTest('searches ten thousand toggles at once and lists few of them', async ({ page, ui, stub }) => {
    const features = Array.from({ length: 10_000 }, (_, at) => toggle(`flag.${String(at).padStart(5, '0')}`));
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    await page.goto('features');
    await expect(ui.names().first()).toBeVisible();
    await openPalette(page);
    await page.keyboard.type('flag 09999');
    await expectSelected(page, option(page, 'flag.09999').first());
    expect(await palette(page).getByRole('option').count()).toBeLessThan(30);
  });
});
