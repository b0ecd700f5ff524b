// Conditional requests: unchanged responses are not transferred again.

import type { Page, Response } from '@playwright/test';
import { expect, test } from './support/fixtures';

const isList = (response: Response) =>
  response.request().method() === 'GET' && response.url().endsWith('/api/admin/features');

/** Makes the page read its lists again, as after a lost connection. The page does so at most every two seconds. */
async function readAgain(page: Page): Promise<Response> {
  await page.clock.fastForward(10_000);
  const read = page.waitForResponse(isList);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  return read;
}

test('receives 304 for an unchanged list and 200 for a changed one [S7-004]', async ({ page, ui, flags }) => {
  await flags.create({ name: 'checkout' });
  await page.clock.install();
  const first = page.waitForResponse(isList);
  await page.goto('features');
  expect((await first).status()).toBe(200);
  await expect(ui.row('checkout')).toBeVisible();
  expect((await readAgain(page)).status()).toBe(304);
  await expect(ui.row('checkout')).toBeVisible();
  await flags.create({ name: 'delivery' });
  expect((await readAgain(page)).status()).toBe(200);
  await expect(ui.row('delivery')).toBeVisible();
  await expect(ui.row('checkout')).toBeVisible();
  expect((await readAgain(page)).status()).toBe(304);
  await expect(ui.row('delivery')).toBeVisible();
});

test('the page of a toggle shows usage that its entity tag does not cover', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'checkout' });
  await page.clock.install();
  await ui.activation.open('checkout');
  await expect(ui.main).toContainText('Never reported');
  await flags.report({ checkout: { yes: 1, no: 0 } });
  // The response contains all reports, which are stored for it.
  await flags.get('admin/metrics/applications');
  await page.clock.fastForward(10_000);
  await expect(ui.main).not.toContainText('Never reported');
});
