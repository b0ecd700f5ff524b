// Opens and closes the command palette and the shortcut sheet.

import { isOverlayOpen } from '@/lib/overlays';
import { type FocusOrigin, getFocusOrigin } from '@/lib/restoreFocus';
import { createStore } from '@/lib/store';

/** The open palette, also while its code loads. */
export interface OpenPalette {
  query: string;
  /** Enter was pressed while the code was loading: the first result is chosen as soon as there are results. */
  isSubmitted: boolean;
  origin: FocusOrigin;
}

export const openCommands = createStore<OpenPalette | 'shortcuts' | undefined>(undefined);

/** Opens the palette unless a dialog is open. */
export function openPalette(): void {
  if (isOverlayOpen('dialog') || openCommands.get() !== undefined) return;
  openCommands.set({ query: '', isSubmitted: false, origin: getFocusOrigin() });
}

export function changePalette(change: Partial<OpenPalette>): void {
  const open = openCommands.get();
  if (typeof open === 'object') openCommands.set({ ...open, ...change });
}

export function closeCommands(): void {
  openCommands.set(undefined);
}

/** The shortcut's keys as they are named on the user's platform. */
export const paletteKeys = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K';
