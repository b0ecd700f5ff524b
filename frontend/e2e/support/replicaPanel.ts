// The state of the replica in the footer of the console.

import type { Locator } from '@playwright/test';
import type { Ui } from './ui';

/** Returns the button that opens the panel. */
export function replicaButton(ui: Ui): Locator {
  return ui.footer.getByRole('button', { name: /^SDKs:/ });
}

export function replicaPanel(ui: Ui): Locator {
  return ui.footer.getByRole('group', { name: 'Toggles for SDKs' });
}

export function removeCopies(ui: Ui): Locator {
  return replicaPanel(ui).getByRole('button', { name: 'Remove copies…' });
}
