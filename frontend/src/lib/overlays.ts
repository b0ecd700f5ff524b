// Dialogs and menus that are open. Shortcuts and the focus of a new page leave them alone.
import { useLayoutEffect } from 'react';
import { createStore } from './store';

type Overlay = 'dialog' | 'menu';

const NONE: Record<Overlay, number> = { dialog: 0, menu: 0 };
const openOverlays = createStore(NONE);

/** Returns whether a dialog or a menu is open; with `kind`, only overlays of that kind count. */
export function isOverlayOpen(kind?: Overlay): boolean {
  const { dialog, menu } = openOverlays.get();
  return (kind !== 'menu' && dialog > 0) || (kind !== 'dialog' && menu > 0);
}

function count(kind: Overlay, change: number) {
  const counts = openOverlays.get();
  openOverlays.set({ ...counts, [kind]: counts[kind] + change });
}

/** Counts the component as an open overlay while `isOpen`. */
export function useOverlay(kind: Overlay, isOpen: boolean): void {
  // A layout effect: a key that is pressed as soon as the overlay is visible belongs to it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    count(kind, 1);
    return () => count(kind, -1);
  }, [kind, isOpen]);
}
