import { setSingleKeys, useSingleKeys } from '@/lib/singleKeys';
import { Dialog } from '@/ui/Dialog';
import { Kbd } from '@/ui/Kbd';
import { Switch } from '@/ui/Switch';
import { chords, goTo, help, type Shortcut, search } from './shortcuts';

/** Dialog with all keyboard shortcuts. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys();
  return (
    <Dialog open title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutSection title="Everywhere" shortcuts={chords} />
      <div className="grid justify-items-start gap-1 border-line border-t pt-4">
        <Switch label="Single-key shortcuts" showLabel checked={isOn} onChange={setSingleKeys} />
        <p className="text-muted text-secondary">
          {isOn
            ? 'Ignored while you type. This setting applies to this browser.'
            : 'Off in this browser: the shortcuts below are disabled.'}
        </p>
      </div>
      <ShortcutSection title="On a page" shortcuts={[search, help]} />
      <ShortcutSection title="Go to" shortcuts={goTo} />
    </Dialog>
  );
}

function ShortcutSection({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 font-semibold text-secondary">{title}</h3>
      <dl className="grid gap-1.5">
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className="flex items-center justify-between gap-4">
            <dt className="min-w-0">{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
