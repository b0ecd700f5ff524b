import { useEffect } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { useStore } from '@/lib/store';
import { LazyBoundary } from '@/ui/LazyBoundary';
import { RenderWhenIdle } from '@/ui/RenderWhenIdle';
import { closeCommands, isPaletteKey, openCommands, openPalette } from './commands';

const Palette = lazyInIdle(() => import('@/layout/palette/Palette').then((part) => part.Palette));
const ShortcutSheet = lazyInIdle(() => import('./ShortcutSheet').then((part) => part.ShortcutSheet));
const ShortcutKeys = lazyInIdle(() => import('./ShortcutKeys').then((part) => part.ShortcutKeys));

/** Opens the command palette and the shortcut sheet. Only the palette's key is handled before the browser is idle. */
export function CommandsHost() {
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
      <RenderWhenIdle>
        <ShortcutKeys />
      </RenderWhenIdle>
      {open && (
        <LazyBoundary key={open} onLoadError={closeCommands}>
          {open === 'palette' ? <Palette onClose={closeCommands} /> : <ShortcutSheet onClose={closeCommands} />}
        </LazyBoundary>
      )}
    </>
  );
}
