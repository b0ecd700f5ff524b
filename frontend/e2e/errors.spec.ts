// Failures between the browser and the flag service. All error messages: src/testing/requestErrors.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
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

test('a full connection pool is reported in place, without the outage banner, and a retry succeeds', {
  tag: '@stub',
}, async ({ page, ui, stub }) => {
  const basket = toggle('shop.basket');
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [basket] } });
  stub.respond(SWITCH_OFF, { body: { ...basket, enabled: false } });
  const message = 'Flagdeck has no free connection to the flag service';
  const headers = { 'x-flagdeck-error': 'upstream_busy', 'retry-after': '1' };
  const json = { code: 'upstream_busy', name: 'upstream_busy', message, details: [{ message }] };
  await page.route('**/toggle/off', (route) => route.fulfill({ status: 503, headers, json }), { times: 1 });
  await page.goto('features');
  await ui.switchOf('shop.basket').click();
  await expect(ui.snackbar).toContainText(message);
  await expect(ui.outage).toHaveCount(0);
  await expect(ui.switchOf('shop.basket')).toBeChecked();
  await expect(ui.switchOf('shop.basket')).toBeEnabled();
  await ui.switchOf('shop.basket').click();
  await expect(ui.switchOf('shop.basket')).not.toBeChecked();
});
