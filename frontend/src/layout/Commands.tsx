import { useLocation } from 'react-router-dom';
import {
  isCommandKey,
  isPageKey,
  isSecondOfChord,
  setSingleKeys,
  startChord,
  useDocumentKeys,
  useSingleKeys,
} from '@/lib/keyboard';
import { useStore } from '@/lib/store';
import { paths } from '@/paths';
import { useOpenPage } from '@/shared/navigation';
import { Dialog } from '@/ui/Dialog';
import { Kbd } from '@/ui/Kbd';
import { lazyDialog } from '@/ui/lazy';
import { Switch } from '@/ui/Switch';
import { closeCommands, openCommands, openPalette } from './commands';
import { LoadingPalette } from './palette/LoadingPalette';
import { newTogglePath } from './palette/newTogglePath';
import { chords, GO, goTo, help, paletteExamples, rows, type Shortcut, search } from './shortcuts';
import { useOffered } from '@/shared/useOffered';

const Palette = lazyDialog(() => import('@/layout/palette/Palette'), 'Palette');

/** Handles the shortcuts, and opens the command palette and the shortcut sheet. */
export function Commands() {
  const open = useStore(openCommands);
  const palette = typeof open === 'object' ? open : undefined;
  useShortcuts();
  return (
    <>
      <Palette
        open={palette !== undefined}
        palette={palette}
        onClose={closeCommands}
        loading={palette && <LoadingPalette {...palette} />}
      />
      {open === 'shortcuts' && <ShortcutSheet onClose={closeCommands} />}
    </>
  );
}

/** Dialog with all keyboard shortcuts. */
function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys();
  const offered = useOffered(goTo);
  return (
    <Dialog open title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutSection title="Everywhere" shortcuts={chords} />
      <ShortcutSection title="In the command palette" shortcuts={paletteExamples} isTyped />
      <div className="grid justify-items-start gap-1 border-line border-t pt-4">
        <Switch label="Single-key shortcuts" showLabel checked={isOn} onChange={setSingleKeys} />
        <p className="text-muted text-secondary">
          {isOn
            ? 'Ignored while you type. This setting applies to this browser.'
            : 'Off in this browser: the shortcuts below are disabled.'}
        </p>
      </div>
      <ShortcutSection title="On a page" shortcuts={[search, ...rows, help]} />
      <ShortcutSection title="Go to" shortcuts={offered} />
    </Dialog>
  );
}

interface ShortcutSectionProps {
  title: string;
  shortcuts: readonly Shortcut[];
  /** The keys are words to type. */
  isTyped?: boolean;
}

function ShortcutSection({ title, shortcuts, isTyped = false }: ShortcutSectionProps) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 font-semibold text-secondary">{title}</h3>
      <dl className="grid gap-1.5">
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className="flex items-center justify-between gap-4">
            <dt className="min-w-0">{label}</dt>
            <dd>
              {isTyped ? <code className="font-mono text-muted text-secondary">{keys}</code> : <Kbd keys={keys} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Handles the palette's key anywhere, and single-key shortcuts except while the user types. */
function useShortcuts(): void {
  const hasSingleKeys = useSingleKeys();
  const open = useOpenPage();
  const page = useLocation();
  const offered = useOffered(goTo);

  function handleSingleKey(event: KeyboardEvent): boolean {
    const { key } = event;
    const target = isSecondOfChord(event) && offered.find(({ keys }) => keys === `${GO} ${key}`);
    if (key === GO && !target) startChord(event);
    if (target) {
      void open(target.path === paths.createToggle() ? newTogglePath(page) : target.path);
      return true;
    }
    if (key === help.keys) openCommands.set('shortcuts');
    // If the page has its own search box, that handled the key.
    if (key === search.keys) openPalette();
    return key === help.keys || key === search.keys;
  }

  useDocumentKeys((event) => {
    if (isCommandKey(event, 'k')) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!hasSingleKeys || !isPageKey(event)) return;
    if (hasOwnSearch() && event.key === search.keys) return;
    if (handleSingleKey(event)) event.preventDefault();
  });
}

function hasOwnSearch(): boolean {
  return document.querySelector(`main [aria-keyshortcuts="${search.keys}"]`) !== null;
}
