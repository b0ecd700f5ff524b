import type { Page } from '@playwright/test';

/** Returns the settings that the console stores in the browser, by storage key. */
export async function storedSettings(page: Page): Promise<Record<string, unknown>> {
  const entries = await page.evaluate(() => Object.entries(localStorage));
  const settings = entries.filter(([key]) => key.includes(':settings:'));
  return Object.fromEntries(settings.map(([key, value]) => [key, JSON.parse(value)]));
}
