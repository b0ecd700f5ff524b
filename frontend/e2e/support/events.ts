import type { Locator } from '@playwright/test';
import type { Ui } from './ui';

/** Locates the rows of a history without the header, newest first. */
export function entries(ui: Ui): Locator {
  return ui.main.getByRole('row').filter({ has: ui.page.getByRole('cell') });
}
