import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { newTogglePath } from '@/layout/palette/newTogglePath';
import { isTyping } from '@/lib/isTyping';
import { confirmLeave } from '@/lib/leaveGuard';
import { useSingleKeys } from '@/lib/singleKeys';
import { useDocumentKeys } from '@/lib/useDocumentKeys';
import { paths } from '@/paths';
import { isPaletteKey, openCommands, openPalette } from './commands';
import { GO, goTo, help, search } from './shortcuts';

/** Maximum time between the two keys of a shortcut. */
const CHORD_TIMEOUT_MS = 1500;

/** Handles the palette's key anywhere, and single-key shortcuts except while the user types. */
export function useShortcuts(): void {
  const hasSingleKeys = useSingleKeys();
  const navigate = useNavigate();
  const page = useLocation();
  const startedAt = useRef(Number.NEGATIVE_INFINITY);

  function handleSingleKey(key: string, timeStamp: number): boolean {
    const target = timeStamp - startedAt.current < CHORD_TIMEOUT_MS && goTo.find(({ keys }) => keys === `${GO} ${key}`);
    startedAt.current = key === GO && !target ? timeStamp : Number.NEGATIVE_INFINITY;
    if (target) {
      const path = target.path === paths.createToggle() ? newTogglePath(page) : target.path;
      void confirmLeave().then((isConfirmed) => isConfirmed && navigate(path));
      return true;
    }
    if (key === help.keys) openCommands.set('shortcuts');
    // If the page has its own search box, that handled the key.
    if (key === search.keys) openPalette();
    return key === help.keys || key === search.keys;
  }

  useDocumentKeys((event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      openPalette();
      return;
    }
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (!hasSingleKeys || defaultPrevented || ctrlKey || metaKey || altKey || isTyping(event) || isOverlayOpen())
      return;
    if (hasOwnSearch() && key === search.keys) return;
    if (handleSingleKey(key, event.timeStamp)) event.preventDefault();
  });
}

function isOverlayOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu]:popover-open') !== null;
}

function hasOwnSearch(): boolean {
  return document.querySelector(`main [aria-keyshortcuts="${search.keys}"]`) !== null;
}
