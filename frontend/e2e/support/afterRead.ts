import type { Page } from '@playwright/test';

/**
 * Runs `visit` and waits until the page has rendered the response to the read of `path`, such as `api/admin/user`.
 * For assertions that something is absent: before the response it would be absent in any case.
 */
export async function afterRead(page: Page, path: string, visit: () => Promise<unknown>): Promise<void> {
  const read = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(`/${path}`));
  await visit();
  await (await read).finished();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
