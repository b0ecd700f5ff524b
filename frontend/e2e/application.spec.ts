// The page of an application: toggles, strategies, instances, editing and deleting.

import type { Page } from '@playwright/test';
import { applicationOf, reportApplication } from './support/applications';
import { expect, test } from './support/fixtures';

test.describe.configure({ timeout: 90_000 });

test('shows toggles, strategies and instances, and offers to create missing ones [S2-016] [S2-031] [S2-089] [S2-090] [S2-091] [S3-021] [S7-031]', {
  tag: '@unknown-toggles',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'A larger basket' }, { name: 'shop.gone' });
  await flags.archive('shop.gone');
  await reportApplication(flags, 'checkout', {
    instanceId: 'checkout-7',
    sdkVersion: 'unleash-client-java:4.4.1',
    strategies: ['default', 'byRegion'],
    toggles: ['shop.basket', 'shop.gone', 'shop.new'],
  });
  await page.goto('applications/checkout');
  await expect(page).toHaveTitle('checkout - Applications - Flagdeck');
  const toggles = ui.main.getByRole('region', { name: 'Toggles' });
  const strategies = ui.main.getByRole('region', { name: 'Implemented strategies' });
  await expect(toggles).toContainText('A larger basket');
  await expect(toggles.getByRole('img', { name: 'On' })).toHaveCount(1);
  await expect(ui.main).toContainText(/Created .*(now|ago)/);
  const instance = ui.row('checkout-7');
  await expect(instance).toContainText('unleash-client-java:4.4.1');
  await expect(instance).toContainText('127.0.0.1');
  await expect(instance.locator('time')).toHaveText(/now|ago/);

  // The name of an archived toggle is taken, so it cannot be created.
  await expect(toggles.getByRole('link', { name: 'In the archive: shop.gone' })).toBeVisible();
  await expect(toggles.getByRole('link', { name: /want to create/ })).toHaveText('Missing, want to create?');
  await toggles.getByRole('link', { name: 'Missing, want to create? shop.new' }).click();
  await expect(page).toHaveURL(/\/features\/create\?name=shop\.new$/);
  await expect(ui.nameField).toHaveValue('shop.new');
  await page.goBack();
  await expect(strategies.getByRole('link', { name: 'Missing, want to create? byRegion' })).toHaveAttribute(
    'href',
    '/strategies/create?name=byRegion',
  );
  await expect(strategies.getByRole('link', { name: 'default' })).toHaveAttribute('href', '/strategies/view/default');
  await toggles.getByRole('link', { name: 'shop.basket' }).click();
  await expect(page).toHaveURL(/\/features\/view\/shop\.basket$/);
});

test('shows the API of each instance', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await reportApplication(flags, 'shop', { instanceId: 'server-1' });
  const { secret } = await (
    await page.request.post('api/admin/api-tokens', { data: { name: 'web', kind: 'frontend' } })
  ).json();
  const report = { appName: 'shop', instanceId: 'page-1', bucket: { start: 's', stop: 'e', toggles: {} } };
  const headers = { authorization: secret };
  // The service knows a new token after half a second.
  await expect
    .poll(async () => (await page.request.post('api/frontend/client/metrics', { data: report, headers })).status())
    .toBe(202);
  await page.goto('applications/shop');
  await expect(ui.main).toContainText('Server SDK, Browser SDK');
  await expect(ui.row('server-1')).toContainText('Server SDK');
  await expect(ui.row('page-1')).toContainText('Browser SDK');
});

test('shows no API if the server does not report it', { tag: '@upstream' }, async ({ page, ui, flags }) => {
  await reportApplication(flags, 'shop');
  await page.goto('applications/shop');
  await expect(ui.row('shop-1')).toContainText('unleash-client-node');
  await expect(ui.main).not.toContainText('Server SDK');
  await expect(page.getByRole('columnheader', { name: 'API' })).toHaveCount(0);
});

test('saves icon, URL and description in separate requests [S2-092] [S3-022] [S7-032] [S9-017]', async ({
  page,
  ui,
  flags,
}) => {
  await reportApplication(flags, 'shop web/2');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/metrics/applications/'))
      sent.push(request.postDataJSON());
  });
  await page.goto('applications/shop%20web%2F2');
  const header = ui.main.locator('header');
  await expect(header.locator('[data-icon]')).toHaveAttribute('data-icon', 'apps');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page).toHaveURL(/\/applications\/shop%20web%2F2\?tab=edit$/);
  await page.getByRole('button', { name: 'Choose an icon, now apps' }).click();
  await ui.dialog.getByRole('searchbox').fill('shopping cart');
  await ui.dialog.getByRole('button', { name: 'shopping_cart', exact: true }).click();
  await expect(ui.dialog).toBeHidden();
  await page.getByLabel('Application URL').fill('javascript:alert(1)');
  await page.getByLabel('Description').fill(' The shop ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Application URL')).toHaveAccessibleDescription(/starts with https/);
  expect(sent).toEqual([]);
  await page.getByLabel('Application URL').fill('https://shop.example.com/');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/applications\/shop%20web%2F2$/);
  await expect(header.locator('[data-icon]')).toHaveAttribute('data-icon', 'shopping_cart');
  await expect(ui.main.getByRole('link', { name: 'https://shop.example.com/' })).toHaveAttribute('rel', /noreferrer/);
  await expect(ui.main).toContainText('The shop');
  const texts = { icon: 'shopping_cart', url: 'https://shop.example.com/', description: 'The shop' };
  expect(sent).toEqual([{ icon: texts.icon }, { url: texts.url }, { description: texts.description }]);
  expect(await applicationOf(flags, 'shop web/2')).toMatchObject(texts);

  // A stored value cannot be cleared, because servers ignore empty values.
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Description').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Description')).toHaveAccessibleDescription(/replaced but not cleared/);
});

test('icons load from this origin on demand, and an unknown name falls back to the default icon [S2-092] [S9-017]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await reportApplication(flags, 'shop-web');
  await flags.post('admin/metrics/applications/shop-web', { icon: 'no_such_icon' });
  await page.goto('applications');
  await expect(ui.main.locator('[data-icon=no_such_icon] svg')).toBeVisible();
  expect(await usedFonts(page)).not.toContain('Material Icons');
  await flags.post('admin/metrics/applications/shop-web', { icon: 'shopping_cart' });
  const font = page.waitForResponse((response) => response.url().includes('material-icons'));
  await page.reload();
  expect((await font).status()).toBe(200);
  await expect(ui.main.locator('[data-icon=shopping_cart] [data-glyph=shopping_cart]')).toBeVisible();
  await expect(ui.main.locator('[data-icon] svg')).toHaveCount(0);
  await expect.poll(() => usedFonts(page)).toContain('Material Icons');
});

test('deletes an application after confirmation, and warns that it can reappear [S2-093] [S7-031]', async ({
  page,
  ui,
  flags,
}) => {
  await reportApplication(flags, 'shop-web');
  await reportApplication(flags, 'shop-app');
  await page.goto('applications/shop-web');
  const remove = page.getByRole('button', { name: 'Delete' });
  await remove.click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this application?');
  await expect(ui.dialog).toContainText('It is listed again when it reports again.');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await applicationOf(flags, 'shop-web')).toBeDefined();
  await remove.click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page).toHaveURL(/\/applications$/);
  await ui.expectNames('shop-app');
  expect(await applicationOf(flags, 'shop-web')).toBeUndefined();
});

test('an unknown application shows that it was not found [S2-094] [S8-033]', async ({ page, ui }) => {
  await page.goto('applications/no%2Fsuch');
  await expect(ui.main).toContainText('Application (no/such) not found');
  await ui.main.getByRole('link', { name: 'All applications' }).click();
  await expect(page).toHaveURL(/\/applications$/);
});

test('names with slashes and percent signs work in URLs', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await reportApplication(flags, 'a%2Fb');
  await reportApplication(flags, 'a/b');
  for (const [name, encoded] of [
    ['a%2Fb', 'a%252Fb'],
    ['a/b', 'a%2Fb'],
  ] as const) {
    await page.goto('applications');
    await ui.main.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/applications/${encoded}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(page).toHaveTitle(`${name} - Applications - Flagdeck`);
    await expect(ui.row(`${name}-1`)).toBeVisible();
  }
});

/** Returns the families of the fonts that the browser has requested. It requests a font when it lays out text in it. */
function usedFonts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    document.body.getBoundingClientRect();
    const requested = [...document.fonts].filter(({ status }) => status !== 'unloaded');
    return requested.map(({ family }) => family.replaceAll('"', ''));
  });
}
