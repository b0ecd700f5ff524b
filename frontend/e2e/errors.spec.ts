// Failures between the browser and the flag service. All error messages: src/testing/requestErrors.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { toggle } from './support/stubUpstream';

const SWITCH_OFF = 'POST /api/admin/features/shop.basket/toggle/off';

test.describe('a failed request', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  test('to an unreachable server names its host', async ({ page, ui, stub }) => {
    // A read that fails first would show the outage, which disables the switch. So the page gets only one response of
    // each read that it needs.
    const needed = new Set(['features', 'ui-config', 'user']);
    await page.route('**/api/admin/**', async (route) => {
      const [, read = ''] = route.request().url().split('/api/admin/');
      if (route.request().method() !== 'GET' || needed.delete(read)) await route.continue();
    });
    await page.goto('features');
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
    const { host } = new URL(stub.url);
    await stub.stop();
    await ui.switchOf('shop.basket').click();
    await expect(ui.outage).toContainText(host);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await expect(ui.main).toContainText(host);
  });
});

test.describe('a full connection pool', { tag: '@stub' }, () => {
  test.use({ settings: ['--upstream-pool-size', '1', '--upstream-connect-timeout', '100ms'] });

  test('is reported in place, without the outage banner, and a retry succeeds', async ({
    page,
    ui,
    stub,
    context,
    flagdeck,
  }) => {
    const basket = toggle('shop.basket');
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [basket] } });
    stub.respond(SWITCH_OFF, { body: { ...basket, enabled: false } });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    // Each worker has one connection. The test occupies all of them.
    const { opened, open } = gate();
    stub.respond('GET /api/admin/held', () => opened.then(() => ({ body: {} })));
    let refused = 0;
    const held = Array.from({ length: 32 }, async () => {
      const response = await context.request.get(`${flagdeck.url}api/admin/held`);
      if (response.status() === 503) refused += 1;
    });
    await expect.poll(() => refused + stub.called('GET /api/admin/held').length).toBe(32);
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText('Flagdeck has no free connection to the flag service');
    await expect(ui.outage).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
    open();
    await Promise.all(held);
    await ui.switchOf('shop.basket').click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
  });
});
