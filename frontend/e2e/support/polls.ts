import { expect, type Page } from '@playwright/test';

/**
 * Advances the clock of the page, interval by interval, until `check` passes: the test does not wait for the next poll.
 * The test must install the clock before it opens the page. `check` needs short timeouts.
 */
export async function afterPolls(page: Page, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await check();
  }).toPass();
}
