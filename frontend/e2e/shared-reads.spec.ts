// Shared reads: components use one response, and the result does not depend on which of them requested it first.

import { expect, stubTest } from './support/fixtures';

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
});
