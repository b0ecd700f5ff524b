// Accessibility of each page: axe violations, horizontal overflow, and the main tasks by keyboard.

import type { Locator, Page } from '@playwright/test';
import { axeViolations, controlsWithoutFocusRing, LOOKS, tabTo, unreachableElements } from './support/accessibility';
import { reportApplication } from './support/applications';
import { changeSystemTheme, rgbOf } from './support/colours';
import { chooseForEntry, entries, expandEntry } from './support/events';
import { expect, test } from './support/fixtures';
import { PAGES } from './support/pages';

// Each test analyses many pages, and an analysis takes seconds on a busy machine.
test.describe.configure({ timeout: 240_000 });

/** Returns the system colour of the background: `Highlight`, or undefined for another colour. */
async function systemColourOf(element: Locator): Promise<'Highlight' | undefined> {
  return element.evaluate((one) => {
    const probe = document.createElement('i');
    probe.style.backgroundColor = 'Highlight';
    document.body.append(probe);
    const colour = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return getComputedStyle(one).backgroundColor === colour ? 'Highlight' : undefined;
  });
}

async function showIn(page: Page, { colorScheme, width }: (typeof LOOKS)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme, forcedColors: 'none' });
}

/** Expects no axe violations of an open menu or dialog in both themes. */
async function expectNoViolations(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await changeSystemTheme(page, colorScheme);
    expect(await axeViolations(page), `${state}, ${colorScheme}`).toEqual([]);
  }
}

// The pages are identical on both services. The sign-in dialog is covered below.
test.describe('axe reports no violations on', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flags }) => {
    const strategies = [{ name: 'default' }, { name: 'userWithId', parameters: { userIds: 'ada,grace' } }];
    const variants = [
      { name: 'blue', weight: 1, weightType: 'fix', payload: { type: 'json', value: '{}' } },
      { name: 'green', weight: 999, weightType: 'variable', overrides: [{ contextName: 'userId', values: ['ada'] }] },
    ];
    await flags.create(
      { name: 'shop.basket', description: 'A larger basket', stale: true, strategies, variants },
      { name: 'shop.off', enabled: false, type: 'kill-switch' },
      { name: 'shop.gone' },
    );
    await flags.archive('shop.gone');
    await flags.post('admin/features/shop.basket/tags', { type: 'simple', value: 'winter' });
    await flags.update('shop.basket', { description: 'A much larger basket' });
    await flags.post('admin/addons', {
      provider: 'webhook',
      enabled: false,
      description: 'Tells the audit log',
      parameters: { url: 'http://127.0.0.1:9/hook' },
      events: ['feature-created'],
    });
    await flags.post('admin/segments', {
      name: 'beta-users',
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
    });
    await flags.post('admin/api-tokens', { name: 'web', kind: 'frontend', origins: ['*'] });
    await reportApplication(flags, 'shop-web', {
      strategies: ['default', 'byRegion'],
      toggles: ['shop.basket', 'shop.new'],
    });
  });

  for (const [index, [name, pages]] of Object.entries(PAGES).entries()) {
    const [look, otherLook] = index % 2 === 0 ? LOOKS : [LOOKS[1], LOOKS[0]];
    // The first contain the pages of toggles, whose layout is the most complex.
    const tag = index < 2 ? [] : ['@ci'];

    test(name, { tag }, async ({ page, ui }) => {
      for (const { path: visit, ready } of pages) {
        await showIn(page, look);
        await page.goto(visit);
        await expect(ui.main.getByText(ready).filter({ visible: true }).first(), visit).toBeVisible();
        expect(await axeViolations(page), `${visit}, ${look.colorScheme} at ${look.width}`).toEqual([]);
      }
    });

    test(`${name}, in the other theme and width, and in forced colours`, { tag: '@ci' }, async ({ page, ui }) => {
      for (const { path: visit, ready } of pages) {
        await showIn(page, look);
        await page.goto(visit);
        await showIn(page, otherLook);
        await changeSystemTheme(page, otherLook.colorScheme);
        await expect(ui.main.getByText(ready).filter({ visible: true }).first(), visit).toBeVisible();
        expect(await axeViolations(page), `${visit}, ${otherLook.colorScheme} at ${otherLook.width}`).toEqual([]);
        // The viewport of a window of 1280 by 800 pixels at a zoom of 200 %.
        await page.setViewportSize({ width: 640, height: 400 });
        await page.emulateMedia({ forcedColors: 'active' });
        await expect(ui.main.getByText(ready).first(), visit).toBeVisible();
        expect(await axeViolations(page), `${visit} in forced colours at 200 %`).toEqual([]);
        expect(await unreachableElements(page), `${visit} at 200 %`).toEqual([]);
        expect(await controlsWithoutFocusRing(page), visit).toEqual([]);
      }
    });
  }

  test('the main pages in forced colours, which show what is selected', { tag: '@ci' }, async ({ page, ui }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('features');
    await ui.checkboxOf('shop.basket').check();
    await ui.openRowMenu('shop.basket');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    for (const selected of ['nav [aria-current]', '[role=menuitem]:focus'])
      expect(await systemColourOf(page.locator(selected).first()), selected).toBe('Highlight');
    expect(await axeViolations(page), 'selected rows and a menu').toEqual([]);
    await page.goto('features/view/shop.basket');
    await expect(ui.main.getByText('Show table')).toBeVisible();
    expect(await systemColourOf(page.locator('label:has(> [type=radio]:checked)').first())).toBe('Highlight');
    expect(await axeViolations(page), 'metrics').toEqual([]);
    await page.goto('features/variants/shop.basket');
    await expect(page.getByTestId('variant colour').first()).toHaveCSS('forced-color-adjust', 'none');
    const tabs = page.getByRole('navigation', { name: 'Toggle sections' });
    await expect(tabs.locator('a:not([aria-current])').first()).toHaveCSS('border-bottom-width', '0px');
    await expect(tabs.locator('[aria-current]')).toHaveCSS('border-bottom-width', '4px');
    expect(await axeViolations(page), 'variants').toEqual([]);
    await ui.activation.open('shop.basket');
    await ui.activation.strategy('userWithId').getByLabel('userIds').fill('mia,');
    expect(await systemColourOf(ui.activation.saveAll)).toBe('Highlight');
    expect(await axeViolations(page), 'unsaved changes').toEqual([]);
  });

  test('open menus and dialogs', { tag: '@ci' }, async ({ page, ui }) => {
    await page.goto('features');
    await ui.openRowMenu('shop.basket');
    await expectNoViolations(page, 'row menu');
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await expect(ui.dialog).toBeVisible();
    await expectNoViolations(page, 'confirmation');
    await page.goto('features/strategies/shop.basket');
    await ui.openAddTag();
    await expectNoViolations(page, 'new tag');
    await page.keyboard.press('Escape');
    await expect(ui.dialog).toBeHidden();
    await ui.property('Toggle type').click();
    await expect(page.getByRole('menuitemradio').first()).toBeVisible();
    await expectNoViolations(page, 'types');
    await page.keyboard.press('Escape');
    await ui.main.getByRole('button', { name: 'Edit description' }).click();
    await expectNoViolations(page, 'description');
    await page.goto('features/variants/shop.basket');
    await ui.variants.open('green');
    await ui.dialog.getByText('Fixed weight').click();
    await ui.dialog.getByLabel('Name', { exact: true }).fill('');
    await ui.variants.save();
    await expect(ui.dialog.getByText('Name is required')).toBeVisible();
    await expectNoViolations(page, 'variant');
    await page.goto('applications');
    await ui.main.getByRole('button', { name: 'Connect' }).click();
    await expect(ui.dialog.getByLabel('Client SDK')).toBeVisible();
    await expectNoViolations(page, 'connecting');
    await page.goto('applications/shop-web?tab=edit');
    await ui.main.getByRole('button', { name: /^Choose an icon/ }).click();
    await expect(ui.dialog.getByRole('button', { name: 'apps', exact: true })).toBeVisible();
    await expectNoViolations(page, 'icons');
    await page.goto('features/history/shop.basket');
    await expandEntry(entries(ui).first());
    await expectNoViolations(page, 'log');
    await chooseForEntry(entries(ui).last(), 'Restore this version');
    await ui.dialog.getByText('JSON diff').click();
    await expectNoViolations(page, 'restoring');
  });
});

test('axe reports no violations for filters, selected rows, the bulk action bar and its results', {
  tag: ['@embedded', '@ci'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gone' }, { name: 'shop.off', enabled: false });
  for (const shown of LOOKS) {
    const look = `${shown.colorScheme} at ${shown.width}`;
    await showIn(page, shown);
    await page.goto('features?filter=shop&state=on&status=active&tag=simple:none&type=release');
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
    await ui.openFilters();
    expect(await axeViolations(page), `filters, ${look}`).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await ui.choose('shop.basket', 'Select');
    await ui.checkboxOf('shop.gone').check();
    await expect(ui.bulk).toContainText('2 selected');
    expect(await axeViolations(page), `selected rows, ${look}`).toEqual([]);
    await page.route('**/features/shop.gone/stale/on', (route) => route.fulfill({ status: 403 }));
    await ui.chooseBulkStatus('Mark stale');
    await expect(ui.dialog).toContainText('could not be marked');
    expect(await axeViolations(page), `failures, ${look}`).toEqual([]);
    await ui.dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect(ui.snackbar).toContainText('marked as stale');
    expect(await axeViolations(page), `after a bulk action, ${look}`).toEqual([]);
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(ui.row('shop.basket')).not.toContainText('Stale');
  }
});

test('axe reports no violations for the command palette and the list of shortcuts', {
  tag: ['@embedded', '@ci'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  for (const shown of LOOKS) {
    const look = `${shown.colorScheme} at ${shown.width}`;
    await showIn(page, shown);
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('shop');
    await expect(page.getByRole('option', { name: 'Disable shop.basket' })).toBeVisible();
    expect(await axeViolations(page), `toggle, ${look}`).toEqual([]);
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('nothing like this');
    await expect(ui.dialog).toContainText('No results');
    expect(await axeViolations(page), `no results, ${look}`).toEqual([]);
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('keyboard');
    await page.keyboard.press('Enter');
    await expect(ui.dialog).toContainText('Single-key shortcuts');
    expect(await axeViolations(page), `shortcuts, ${look}`).toEqual([]);
  }
});

test('axe reports no violations for an empty list and the sign-in dialog', { tag: '@ci' }, async ({
  page,
  ui,
  context,
  backend,
}) => {
  if (backend === 'upstream') await context.clearCookies();
  for (const look of LOOKS) {
    await showIn(page, look);
    await page.goto('features');
    const ready = backend === 'upstream' ? ui.signInDialog : page.getByText('Empty list of feature toggles');
    await expect(ready).toBeVisible();
    expect(await axeViolations(page), `${look.colorScheme} at ${look.width}`).toEqual([]);
  }
});

test('a field that cannot be edited looks different from an editable one in both themes', { tag: '@embedded' }, async ({
  page,
  ui,
}) => {
  await page.goto('context/edit/userId');
  const description = page.getByLabel('Description');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The same colour as the help text, and no visible input border.
    const help = ui.main.getByText('The name cannot be changed');
    await expect
      .poll(async () => isSameColour(await rgbOf(ui.nameField, 'color'), await rgbOf(help, 'color')))
      .toBe(true);
    for (const of of ['color', 'borderTopColor'] as const) {
      await expect
        .poll(async () => isSameColour(await rgbOf(ui.nameField, of), await rgbOf(description, of)))
        .toBe(false);
    }
  }
});

test('animations are off if the user prefers reduced motion', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  const moving = () =>
    page.evaluate(
      () =>
        document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().activeDuration) > 10).length,
    );
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.route('**/api/admin/features', () => undefined);
    await page.goto('features');
    // The loading placeholders pulse, unless the user prefers reduced motion.
    await expect(ui.main.getByRole('status', { name: 'Loading toggles' })).toBeVisible();
    expect((await moving()) > 0, reducedMotion).toBe(reducedMotion === 'no-preference');
    await page.unroute('**/api/admin/features');
  }
});

test('searching, switching, creating and archiving work with the keyboard alone', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
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
  await tabTo(page.getByRole('button', { name: 'Create', exact: true }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/strategies\/by\.keyboard$/);
  await expect(page.getByRole('heading', { name: 'by.keyboard' })).toBeVisible();
});

const isSameColour = (one: number[], other: number[]) => one.join() === other.join();
