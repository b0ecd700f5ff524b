import { useEffect } from 'react';
import { useStore } from '@/lib/store';
import { lazyDialog } from '@/ui/lazy';
import { closeCommands, isPaletteKey, openCommands, openPalette } from './commands';
import { ShortcutKeys } from './ShortcutKeys';

const Palette = lazyDialog(() => import('@/layout/palette/Palette'), 'Palette');
const ShortcutSheet = lazyDialog(() => import('./ShortcutSheet'), 'ShortcutSheet');

/** Handles the shortcuts, and opens the command palette and the shortcut sheet. */
export function Commands() {
  const open = useStore(openCommands);
  // Keys pressed anywhere on the page reach only the document.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      openPalette();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <ShortcutKeys />
      {open === 'palette' && <Palette onClose={closeCommands} />}
      {open === 'shortcuts' && <ShortcutSheet onClose={closeCommands} />}
    </>
  );
}
