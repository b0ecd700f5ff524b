// What opens over every page by a key or a button: the command palette and the sheet of shortcuts.
import { createStore } from '@/lib/store';
import { startTypeAhead, stopTypeAhead } from './typeAhead';

export const openCommands = createStore<'palette' | 'shortcuts' | undefined>(undefined);

/** Not above another dialog: what it asks comes first. */
export function openPalette(): void {
  if (document.querySelector('[role=dialog]') || openCommands.get() !== undefined) return;
  startTypeAhead(closeCommands);
  openCommands.set('palette');
}

export function closeCommands(): void {
  stopTypeAhead();
  openCommands.set(undefined);
}

export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** As the keyboard before the reader names it. */
export const paletteKeys = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K';
