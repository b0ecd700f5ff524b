import type { Locator } from '@playwright/test';
import type { Ui } from './ui';

/** Locates the events of a history, newest first. */
export function entries(ui: Ui): Locator {
  return ui.main.locator('li[id^="event-"]');
}

/** Expands an event to its changes. */
export async function expandEntry(entry: Locator): Promise<void> {
  await entry.getByRole('button', { expanded: false }).first().click();
}

/** Locates the button that undoes the change of an event. */
export function undoButton(entry: Locator): Locator {
  return entry.getByRole('button', { name: 'Undo this change' });
}

/** Chooses from the menu of an event. */
export async function chooseForEntry(entry: Locator, action: string): Promise<void> {
  await entry.getByRole('button', { name: /^Actions for the event of/ }).click();
  await entry.getByRole('menuitem', { name: action }).click();
}
