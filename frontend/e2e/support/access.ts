// What keeps people from using a page: found by axe, by looking for what is too wide, and by going there by keyboard.

import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';

export const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const;

/** What keeps somebody from using the page as it stands. */
export async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return excess > 0 ? [...found, `the page is ${excess} px wider than its window`] : found;
}

/** Presses Tab until the control has the focus, as somebody without a mouse does. */
export async function tabTo(control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await control.page().keyboard.press('Tab');
  }
  throw new Error(`60 times Tab did not reach ${control}`);
}
