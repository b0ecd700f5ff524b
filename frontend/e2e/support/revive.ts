import { expect, type Locator } from '@playwright/test';
import type { Ui } from './ui';
import { hasEnvironments, type Version } from './versions';

/** Revives an archived toggle with this button, and confirms if it will be off. */
export async function revive(ui: Ui, button: Locator, version: Version): Promise<void> {
  await button.click();
  if (!hasEnvironments(version)) return;
  await expect(ui.dialog).toContainText('The toggle will be off in every environment.');
  await ui.dialog.getByRole('button', { name: 'Revive' }).click();
  await expect(ui.dialog).toBeHidden();
}
