// Opens and closes the command palette and the shortcut sheet.

import { startTypeAhead, stopTypeAhead } from '@/layout/palette/typeAhead';
import { isOverlayOpen } from '@/lib/overlays';
import { createStore } from '@/lib/store';

export const openCommands = createStore<'palette' | 'shortcuts' | undefined>(undefined);

/** Opens the palette unless a dialog is open. */
export function openPalette(): void {
  if (isOverlayOpen('dialog') || openCommands.get() !== undefined) return;
  startTypeAhead(closeCommands);
  openCommands.set('palette');
}

export function closeCommands(): void {
  stopTypeAhead();
  openCommands.set(undefined);
}

/** The shortcut's keys as they are named on the user's platform. */
export const paletteKeys = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K';
