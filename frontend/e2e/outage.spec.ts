// What people see while the flag service, or the program in front of it, is away.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test.describe('while the flag service is away', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  test('what was read stays with its age, nothing can be changed, and it goes on by itself', async ({
    page,
    ui,
    stub,
  }) => {
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    const { host } = new URL(stub.url);
    await stub.stop();
    // The next poll of the counts finds out.
    await expect(ui.outage).toContainText('Flagdeck cannot reach the flag service', { timeout: 15_000 });
    await expect(ui.outage).toContainText(host);
    await expect(ui.outage.getByRole('time')).toBeVisible();
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await expect(ui.switchOf('shop.basket')).toHaveAccessibleDescription(/until the flag service answers/);
    // Said once.
    await expect(ui.snackbar).toHaveCount(0);

    stub.answer('GET /api/admin/features', {
      body: { version: 1, features: [toggle('shop.basket'), toggle('shop.meanwhile')] },
    });
    await stub.startAgain();
    await expect(ui.outage).toHaveCount(0, { timeout: 15_000 });
    await expect(ui.row('shop.meanwhile')).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
  });

  test('the page still loads, and fills itself once there is an answer', async ({ page, ui, stub }) => {
    await stub.stop();
    await page.goto('features');
    await expect(ui.outage).toContainText('Flagdeck cannot reach the flag service');
    await expect(ui.outage.getByRole('time')).toHaveCount(0);
    // What is the matter is said once.
    await expect(ui.main.getByRole('heading', { name: 'The toggles could not be loaded' })).toBeVisible();
    await expect(ui.main.getByText(new URL(stub.url).host)).toHaveCount(1);
    await stub.startAgain();
    await expect(ui.row('shop.basket')).toBeVisible({ timeout: 15_000 });
    await expect(ui.outage).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
  });

  test('an outage takes precedence over a missing permission', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
    stub.answer('GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
    await page.goto('archive');
    const revive = ui.row('shop.gone').getByRole('button', { name: /Revive/ });
    await expect(revive).toHaveAccessibleDescription('You need the permission UPDATE_FEATURE for this.');
    await stub.stop();
    await expect(ui.outage).toBeVisible({ timeout: 15_000 });
    await expect(revive).toHaveAccessibleDescription(/until the flag service answers/);
  });

  test('the text typed into the forms of applications and strategies is kept', async ({ page, ui, stub }) => {
    const shop = { appName: 'shop', instances: [], strategies: [], seenToggles: [] };
    stub.answer('GET /api/admin/metrics/applications/shop', { body: shop });
    stub.answer('GET /api/admin/metrics/applications', { body: { applications: [shop] } });
    const own = { name: 'own', description: '', editable: true, deprecated: false, parameters: [] };
    stub.answer('GET /api/admin/strategies', { body: { version: 1, strategies: [own] } });
    for (const [address, call] of [
      ['applications/shop?tab=edit', 'POST **/applications/shop'],
      ['strategies/edit/own', 'PUT **/strategies/own'],
    ] as const) {
      await page.goto(address);
      const description = ui.main.getByLabel('Description', { exact: true });
      await description.fill(`Typed before ${call}`);
      await stub.stop();
      await ui.main.getByRole('button', { name: 'Save' }).click();
      await expect(ui.outage).toBeVisible({ timeout: 15_000 });
      await expect(ui.main.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription(/until the flag service/);
      await expect(description).toHaveValue(`Typed before ${call}`);
      await stub.startAgain();
    }
  });

  test('what is being typed is kept', async ({ page, ui, stub }) => {
    await page.goto('features/create');
    await ui.nameField.fill('shop.new');
    await stub.stop();
    await page.keyboard.press('Tab');
    await expect(ui.outage).toBeVisible({ timeout: 15_000 });
    await expect(page.getByRole('button', { name: 'Create' })).toHaveAccessibleDescription(/until the flag service/);
    stub.answer('POST /api/admin/features/validate', { status: 200 });
    await stub.startAgain();
    await expect(ui.outage).toHaveCount(0, { timeout: 15_000 });
    await expect(ui.nameField).toHaveValue('shop.new');
  });
});

test('the program itself being away is told apart from that', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
  flagdeck,
}) => {
  stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  // What it has to say then comes ahead, in idle time.
  const banner = page.waitForResponse(/OutageBanner/);
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await banner;
  await flagdeck.stop();
  await expect(ui.outage).toContainText('This browser cannot reach Flagdeck', { timeout: 15_000 });
  await flagdeck.restart();
  await expect(ui.outage).toHaveCount(0, { timeout: 15_000 });
  await expect(ui.switchOf('shop.basket')).toBeEnabled();
});

test('a page of something in between is told apart as well', { tag: '@stub' }, async ({ page, ui, stub }) => {
  stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  );
  await expect(ui.outage).toContainText('A proxy in front of Flagdeck', { timeout: 15_000 });
  await page.unroute('**/api/**');
  await expect(ui.outage).toHaveCount(0, { timeout: 15_000 });
});
