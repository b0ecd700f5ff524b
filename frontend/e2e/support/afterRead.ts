import type { Page } from '@playwright/test';

/**
 * Runs `visit` and waits until the page has rendered the response to the read of `path`, such as `api/admin/user`.
 * Required before asserting that an element is absent, because it is always absent before the response.
 */
export async function afterRead(page: Page, path: string, visit: () => Promise<unknown>): Promise<void> {
  const read = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(`/${path}`));
  await visit();
  await (await read).finished();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
