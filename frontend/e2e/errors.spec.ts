// Failures between the browser and the flag service. All error messages: src/testing/requestErrors.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const SWITCH_OFF = 'POST /api/admin/features/shop.basket/toggle/off';

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
