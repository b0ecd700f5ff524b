import { expect, type Page } from '@playwright/test';

/**
 * Advances the clock of the page by one poll interval at a time until `check` passes, without waiting for real polls.
 * The test must install the clock before it opens the page. `check` needs short timeouts.
 */
export async function afterPolls(page: Page, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await check();
  }).toPass();
}
