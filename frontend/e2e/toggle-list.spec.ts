// The toggle list: empty state, rows, switches, search and metrics.

import { expect, test } from './support/fixtures';
import { gate } from './support/gate';
import { afterPolls } from './support/polls';
import { ONE_TRY } from './support/slowdown';

test('an empty list explains the next step [S2-039] [S2-004]', { tag: '@reach' }, async ({ page, ui, backend }) => {
  await page.goto('');
  await expect(page).toHaveURL(/\/features$/);
  await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
  await expect(page.getByRole('link', { name: 'New toggle' }).first()).toBeVisible();
  const examples = page.getByRole('button', { name: 'Load example toggles' });
  await expect(examples).toHaveCount(backend === 'embedded' ? 1 : 0);
  await expect(ui.names()).toHaveCount(0);
});

test('the example toggles can be loaded into the embedded service', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('features');
  await page.getByRole('button', { name: 'Load example toggles' }).click();
  await expect(ui.names().nth(5)).toBeVisible();
  await expect(page.getByText('Empty list of feature toggles')).toHaveCount(0);
  await page.reload();
  await expect(ui.names().nth(5)).toBeVisible();
});

test('a row shows the properties of its toggle, and rows are sorted by name [S2-040] [S9-004] [S7-004]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create(
    // The newest toggle is the last one by name, so that sorting by creation time would fail.
    { name: 'shop.basket', description: 'A larger basket', enabled: false },
    { name: 'shop.new', description: 'A new shop', type: 'experiment', stale: true },
  );
  await page.goto('features');
  await ui.expectNames('shop.basket', 'shop.new');
  const fresh = ui.row('shop.new');
  await expect(fresh).toContainText('A new shop');
  await expect(fresh).toContainText('Stale');
  await expect(fresh).toContainText('Experiment');
  await expect(fresh.getByRole('switch')).toBeChecked();
  await expect(fresh.locator('time')).toHaveAttribute('data-tip', /20\d\d/);
  const basket = ui.row('shop.basket');
  await expect(basket).not.toContainText('Stale');
  await expect(basket).toContainText('Release');
  await expect(basket.getByRole('switch')).not.toBeChecked();
});

test('the name links to the activation tab, the ring to the metrics [S2-029] [S2-030]', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'my.flag.js' });
  await page.goto('features');
  await page.getByRole('link', { name: 'my.flag.js', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/my\.flag\.js$/);
  await page.goBack();
  await ui.row('my.flag.js').locator('a[href$="/features/view/my.flag.js"]').first().click();
  await expect(page).toHaveURL(/\/features\/view\/my\.flag\.js$/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'my.flag.js' })).toBeVisible();
});

test('the switch changes after the service has confirmed it [S4-001] [S4-002] [S7-009]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features');
  // Delays the response, to check the state in between.
  const requested = gate();
  const response = gate();
  const bodies: (string | null)[] = [];
  await page.route('**/toggle/off', async (route) => {
    bodies.push(route.request().postData());
    requested.open();
    await response.opened;
    await route.continue();
  });
  await ui.switchOf('shop.basket').click();
  await requested.opened;
  await expect(ui.switchOf('shop.basket')).toBeChecked();
  await expect(ui.switchOf('shop.basket')).toHaveAttribute('aria-busy', 'true');
  response.open();
  await expect(ui.switchOf('shop.basket')).not.toBeChecked();
  expect(bodies).toEqual([null]);
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: false });
  await ui.switchOf('shop.basket').click();
  await expect(ui.switchOf('shop.basket')).toBeChecked();
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: true });
});

test.describe('the search', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ page, flags }) => {
    await flags.create(
      { name: 'shop.basket', description: 'A larger basket' },
      { name: 'shop.gift-cards', description: 'Pay with VOUCHERS' },
      { name: 'login.passkeys', strategies: [{ name: 'userWithId', parameters: { userIds: 'ada,grace' } }] },
    );
    await page.goto('features');
  });

  test('is focused by a key, and is kept in the URL and the settings [S3-036] [S3-037]', async ({
    page,
    ui,
    flags,
  }) => {
    // The list must load first: it could contain the following toggles before they are archived.
    await expect(ui.names()).toHaveCount(3);
    for (const name of ['shop.old', 'login.old']) {
      await flags.create({ name });
      await flags.archive(name);
    }
    await page.keyboard.press('/');
    await expect(ui.search).toBeFocused();
    await page.keyboard.type('shop');
    await page.keyboard.press('Enter');
    await ui.expectNames('shop.basket', 'shop.gift-cards');
    await expect(ui.search).toHaveValue('shop');
    expect(new URL(page.url()).search).toContain('shop');

    await page.reload();
    await ui.expectNames('shop.basket', 'shop.gift-cards');
    // The archive uses the same search, and so does the list without URL parameters.
    await ui.menu.getByRole('link', { name: 'Archive' }).click();
    await expect(ui.row('shop.old')).toBeVisible();
    await expect(ui.row('login.old')).toHaveCount(0);
    await page.goto('features');
    await expect(ui.search).toHaveValue('shop');
    await ui.expectNames('shop.basket', 'shop.gift-cards');
  });
});

test.describe('reported metrics', () => {
  test('change the ring, by minute and by hour [S2-034] [S9-026] [S3-023] [S7-027]', {
    tag: ['@minute-counts', '@reach'],
  }, async ({ page, ui, flags }) => {
    // The server keeps counts by name for a long time, so no other test may use this name.
    const name = `ring.${Date.now()}`;
    await flags.create({ name });
    await page.clock.install();
    await page.goto('features');
    await expect(ui.ringOf(name)).toHaveAccessibleName(/no data/i);
    await flags.report({ [name]: { yes: 2, no: 1 } });
    await afterPolls(page, () => expect(ui.ringOf(name)).toHaveAccessibleName(/67\s?%/, ONE_TRY));
    await ui.chooseInterval('Last hour');
    await expect(ui.ringOf(name)).toHaveAccessibleName(/67\s?%/);
    // Services store reports with a delay.
    await expect(async () => {
      await page.reload();
      await expect(ui.row(name)).toBeVisible();
      await expect(ui.row(name)).not.toContainText('never', ONE_TRY);
    }).toPass();
  });
});
