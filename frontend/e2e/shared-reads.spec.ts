// Shared reads: components use one response, and the result does not depend on which of them requested it first.

import type { Page } from '@playwright/test';
import { expect, stubTest } from './support/fixtures';
import { gate } from './support/gate';
import { type StubUpstream, toggle } from './support/stubUpstream';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });

stubTest.describe('a shared read', { tag: '@stub' }, () => {
  stubTest('of the settings updates the environment when the window gets the focus again', async ({ page, ui }) => {
    let isStaging = false;
    await page.route('**/-/settings', async (route) => {
      // A 304 response has no body to change.
      const { 'if-none-match': _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      const environment = 'Staging';
      await route.fulfill({ response, json: { ...(await response.json()), ...(isStaging && { environment }) } });
    });
    await page.clock.install();
    const read = page.waitForResponse('**/-/settings');
    await page.goto('history');
    await read;
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    isStaging = true;
    // Reads are not repeated within half a minute.
    await page.clock.fastForward(31_000);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(ui.environmentChip).toContainText('Staging');
  });

  stubTest('that fails is reported and retried for the page that needs it', async ({ page, ui, stub }) => {
    const requested = gate();
    const response = gate();
    const strategies = [{ name: 'default', description: '', editable: false, deprecated: false, parameters: [] }];
    let calls = 0;
    stub.respond('GET /api/admin/strategies', async () => {
      calls += 1;
      if (calls > 1) return { body: { version: 1, strategies } };
      requested.open();
      await response.opened;
      return { status: 500 };
    });
    await page.goto('history');
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    // The palette requests the strategies and closes before the response arrives.
    await page.keyboard.press('Control+k');
    await requested.opened;
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await page.keyboard.type('new toggle');
    await page.getByRole('option', { name: 'New toggle' }).click();
    await expect(ui.nameField).toBeVisible();
    response.open();
    await expect(ui.snackbar).toContainText('The strategies could not be loaded');
    await ui.nameField.fill('shop.new');
    await ui.activation.addStrategy('default');
  });
});

stubTest.describe('a read of several endpoints', { tag: '@stub' }, () => {
  stubTest('that fails temporarily is repeated', async ({ page, ui, stub }) => {
    const calls = await stubTaggedReads(page, stub, [500, 500, 200]);
    await page.goto('features?tag=simple:winter');
    await expect(ui.main.getByRole('alert')).toContainText('The toggles with these tags could not be loaded');
    await ui.expectNames('shop.basket');
    expect(calls()).toBe(3);
  });

  stubTest('that is refused is not repeated', async ({ page, ui, stub }) => {
    const calls = await stubTaggedReads(page, stub, [403, 200]);
    await page.clock.install();
    await page.goto('features?tag=simple:winter');
    await expect(ui.main.getByRole('alert')).toContainText('The toggles with these tags could not be loaded');
    await page.clock.runFor(20_000);
    await expect(ui.main.getByRole('alert')).toContainText('You cannot perform this action');
    expect(calls()).toBe(1);
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await ui.expectNames('shop.basket');
  });
});

/** Stubs the reads of tagged toggles with these statuses in order. The returned function returns the number of reads. */
async function stubTaggedReads(page: Page, stub: StubUpstream, statuses: readonly number[]): Promise<() => number> {
  const body = { version: 1, features: [toggle('shop.basket')] };
  stub.respond('GET /api/admin/features', { body });
  let calls = 0;
  await page.route('**/api/admin/features?tag=*', (route) => {
    const status = statuses[calls] ?? 200;
    calls += 1;
    return route.fulfill({ status, json: status === 200 ? body : { message: 'Not now' } });
  });
  return () => calls;
}
