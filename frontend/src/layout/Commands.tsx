import { useStore } from '@/lib/store';
import { lazyDialog } from '@/ui/lazy';
import { closeCommands, openCommands } from './commands';
import { ShortcutSheet } from './ShortcutSheet';
import { useShortcuts } from './useShortcuts';

const Palette = lazyDialog(() => import('@/layout/palette/Palette'), 'Palette');

/** Handles the shortcuts, and opens the command palette and the shortcut sheet. */
export function Commands() {
  const open = useStore(openCommands);
  useShortcuts();
  return (
    <>
      {open === 'palette' && <Palette onClose={closeCommands} />}
      {open === 'shortcuts' && <ShortcutSheet onClose={closeCommands} />}
    </>
  );
}
