// Every page for everyone: what axe can find, nothing to scroll sideways for, and the main flow by keyboard alone.

import { faults, LOOKS, outOfReach, tabTo } from './support/access';
import { report } from './support/applications';
import { expect, test } from './support/fixtures';
import { shade } from './support/look';

// Each test looks at its page three times, and looking takes seconds on a busy machine.
test.describe.configure({ timeout: 120_000 });

const ROUTES = [
  { path: 'features', ready: 'shop.basket' },
  { path: 'features?filter=nothing-like-this', ready: 'Clear filters' },
  { path: 'features/create', ready: 'Toggle type' },
  { path: 'features/copy/shop.basket', ready: 'Replace groupId' },
  { path: 'features/strategies/shop.basket', ready: 'userWithId' },
  { path: 'features/view/shop.basket', ready: 'shop-web' },
  { path: 'features/strategies/no.such.toggle', ready: 'Could not find the toggle' },
  { path: 'features/variants/shop.basket', ready: 'Stickiness' },
  { path: 'features/variants/shop.off', ready: 'No variants' },
  { path: 'features/history/shop.basket', ready: 'feature-created' },
  { path: 'history', ready: 'Toggle archived' },
  { path: 'history?event=1&search=shop', ready: 'shop.gone' },
  { path: 'history?search=nothing-like-this', ready: 'No event matches' },
  { path: 'strategies', ready: 'flexibleRollout' },
  { path: 'strategies?filter=nothing-like-this', ready: 'No strategy matches' },
  { path: 'strategies/create#name=byMoon', ready: 'Add parameter' },
  { path: 'strategies/view/userWithId', ready: 'userIds' },
  { path: 'strategies/view/no.such.strategy', ready: 'Strategy not found' },
  { path: 'history/shop.basket?event=9999', ready: 'Toggle created' },
  { path: 'archive', ready: 'shop.gone' },
  { path: 'archive/strategies/shop.gone', ready: 'Activation strategies' },
  { path: 'projects', ready: 'Beta' },
  { path: 'projects/create', ready: 'Project id' },
  { path: 'projects/edit/default', ready: 'Project id' },
  { path: 'applications', ready: 'shop-web' },
  { path: 'applications/shop-web', ready: 'Registered instances' },
  { path: 'applications/shop-web?tab=edit', ready: 'Application URL' },
  { path: 'applications/nosuch', ready: 'not found' },
  { path: 'missing-toggles', ready: 'shop.new' },
  { path: 'context', ready: 'Built-in' },
  { path: 'context/create', ready: 'Allow stickiness' },
  { path: 'context/edit/userId', ready: 'Allow stickiness' },
  { path: 'tag-types', ready: 'simple' },
  { path: 'tag-types/create', ready: 'Icon' },
  { path: 'tag-types/edit/simple', ready: 'Icon' },
  { path: 'tag-types/edit/nosuch', ready: 'Could not find the tag type' },
  { path: 'tags', ready: 'winter' },
  { path: 'tags/create', ready: 'Value' },
  { path: 'addons', ready: 'Tells the audit log' },
  { path: 'addons/create/jira-comment', ready: 'Parameters' },
  { path: 'addons/edit/1', ready: 'Webhook URL' },
  { path: 'no/such/page', ready: /not found/i },
];

// The pages are the same on both services; what signing in adds is below.
test.describe('axe finds nothing on', { tag: '@embedded' }, () => {
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
    await report(flags, 'shop-web', { strategies: ['default', 'byRegion'], toggles: ['shop.basket', 'shop.new'] });
  });

  for (const { path, ready } of ROUTES) {
    test(`/${path}`, async ({ page, ui }) => {
      for (const { colorScheme, width } of LOOKS) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.goto(path);
        await expect(ui.main.getByText(ready).first()).toBeVisible();
        expect(await faults(page), `${colorScheme} at ${width}`).toEqual([]);
      }
      // What a window of 1280 by 900 holds at 200 %.
      await page.setViewportSize({ width: 640, height: 450 });
      await expect(ui.main.getByText(ready).first()).toBeVisible();
      expect(await outOfReach(page), 'at 200 %').toEqual([]);
    });
  }

  test('open menus and dialogs', async ({ page, ui }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('features');
      await ui.openRowMenu('shop.basket');
      expect(await faults(page), `row menu, ${colorScheme}`).toEqual([]);
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await expect(ui.dialog).toBeVisible();
      expect(await faults(page), `question, ${colorScheme}`).toEqual([]);
      await page.goto('features/strategies/shop.basket');
      await ui.openAddTag();
      expect(await faults(page), `new tag, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(ui.dialog).toBeHidden();
      await ui.fact('Toggle type').click();
      await expect(page.getByRole('menuitemradio').first()).toBeVisible();
      expect(await faults(page), `types, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
      await ui.main.getByRole('button', { name: 'Edit description' }).click();
      expect(await faults(page), `description, ${colorScheme}`).toEqual([]);
      await page.goto('features/variants/shop.basket');
      await ui.openVariant('green');
      await ui.dialog.getByText('Fixed weight').click();
      await ui.dialog.getByLabel('Name', { exact: true }).fill('');
      await ui.saveVariant();
      await expect(ui.dialog.getByText('Name is required')).toBeVisible();
      expect(await faults(page), `variant, ${colorScheme}`).toEqual([]);
      await page.goto('applications');
      await ui.main.getByRole('button', { name: 'Connect' }).click();
      await expect(ui.dialog.getByLabel('Client SDK')).toBeVisible();
      expect(await faults(page), `connecting, ${colorScheme}`).toEqual([]);
      await page.goto('applications/shop-web?tab=edit');
      await ui.main.getByRole('button', { name: /^Choose an icon/ }).click();
      await expect(ui.dialog.getByRole('button', { name: 'apps', exact: true })).toBeVisible();
      expect(await faults(page), `icons, ${colorScheme}`).toEqual([]);
      await page.goto('features/history/shop.basket');
      await ui.main.getByRole('button', { name: 'Restore' }).first().click();
      await ui.dialog.getByText('JSON diff').click();
      expect(await faults(page), `restoring, ${colorScheme}`).toEqual([]);
    }
  });
});

test('axe finds nothing on filters, chosen rows and what is done to them', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gone' }, { name: 'shop.off', enabled: false });
  for (const { colorScheme, width } of LOOKS) {
    const look = `${colorScheme} at ${width}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto('features?filter=shop&state=on&status=active&tag=simple:none&type=release');
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
    await ui.openFilters();
    expect(await faults(page), `filters, ${look}`).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await ui.choose('shop.basket', 'Select');
    await ui.boxOf('shop.gone').check();
    await expect(ui.bulk).toContainText('2 selected');
    expect(await faults(page), `chosen rows, ${look}`).toEqual([]);
    await page.route('**/features/shop.gone/stale/on', (route) => route.fulfill({ status: 403 }));
    if (width < 1024) await ui.bulk.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole(width < 1024 ? 'menuitem' : 'button', { name: 'Mark stale' }).click();
    await expect(ui.dialog).toContainText('could not be marked');
    expect(await faults(page), `failures, ${look}`).toEqual([]);
    await ui.dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect(ui.snackbar).toContainText('marked as stale');
    expect(await faults(page), `the rest of a deed, ${look}`).toEqual([]);
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(ui.row('shop.basket')).not.toContainText('Stale');
  }
});

test('axe finds nothing in the command palette and the sheet of shortcuts', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  for (const { colorScheme, width } of LOOKS) {
    const look = `${colorScheme} at ${width}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('shop');
    await expect(page.getByRole('option', { name: 'Disable shop.basket' })).toBeVisible();
    expect(await faults(page), `toggle, ${look}`).toEqual([]);
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('nothing like this');
    await expect(ui.dialog).toContainText('No results');
    expect(await faults(page), `nothing, ${look}`).toEqual([]);
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('keyboard');
    await page.keyboard.press('Enter');
    await expect(ui.dialog).toContainText('Single-key shortcuts');
    expect(await faults(page), `shortcuts, ${look}`).toEqual([]);
  }
});

test('axe finds nothing on an empty list and in the sign-in dialog', async ({ page, ui, context, backend }) => {
  if (backend === 'upstream') await context.clearCookies();
  for (const { colorScheme, width } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto('features');
    const ready = backend === 'upstream' ? ui.signInDialog : page.getByText('Empty list of feature toggles');
    await expect(ready).toBeVisible();
    expect(await faults(page), `${colorScheme} at ${width}`).toEqual([]);
  }
});

test('a name that cannot be changed looks as fixed as it is, in either theme', { tag: '@embedded' }, async ({
  page,
  ui,
}) => {
  await page.goto('context/edit/userId');
  const description = page.getByLabel('Description');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // As quiet as the help below it, and without the edge that says: type here.
    const help = ui.main.getByText('The name cannot be changed');
    await expect.poll(async () => same(await shade(ui.nameField, 'color'), await shade(help, 'color'))).toBe(true);
    for (const of of ['color', 'borderTopColor'] as const) {
      await expect.poll(async () => same(await shade(ui.nameField, of), await shade(description, of))).toBe(false);
    }
  }
});

test('nothing moves for those who want no motion', { tag: '@embedded' }, async ({ page, ui, flags }) => {
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
    // The stand-ins of a list that is under way pulse, unless that is unwanted.
    await expect(ui.main.getByRole('status', { name: 'Loading toggles' })).toBeVisible();
    expect((await moving()) > 0, reducedMotion).toBe(reducedMotion === 'no-preference');
    await page.unroute('**/api/admin/features');
  }
});

test('search, flip, create and archive need no mouse', { tag: '@embedded' }, async ({ page, ui, flags }) => {
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
  await tabTo(page.getByRole('button', { name: 'Create' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/strategies\/by\.keyboard$/);
  await expect(page.getByRole('heading', { name: 'by.keyboard' })).toBeVisible();
});

const same = (one: number[], other: number[]) => one.join() === other.join();
