// The effect of an action of the palette, shown before Enter.
import type { Toggle } from '@/api/generated/types';
import { ImpactEstimate, useEstimate } from '@/domain/impact/ImpactEstimate';
import { applyRollout } from './paletteCommands';
import type { PaletteEntry } from './paletteSearch';
import { useComplete } from './useComplete';

/** The impact of the selected entry, if it is an action that changes who gets a feature. */
export function ImpactPreview({ entry }: { entry: PaletteEntry | undefined }) {
  return (
    // Always there: screen readers do not announce a live region that appears together with its text.
    <section
      aria-label="Impact"
      aria-live="polite"
      className="not-empty:border-line not-empty:border-t px-4 not-empty:py-2.5"
    >
      {entry && entry.disabledReason === undefined && <Content command={entry.command} />}
    </section>
  );
}

function Content({ command }: Pick<PaletteEntry, 'command'>) {
  if ('change' in command) {
    const { toggle } = command.change;
    return <Estimate key={toggle.name} label="After saving" before={toggle} after={applyRollout(command.change)} />;
  }
  if (!('action' in command) || !(command.action === 'enable' || command.action === 'disable')) return null;
  const { toggle, action } = command;
  return <SwitchEstimate key={toggle.name} toggle={toggle} enables={action === 'enable'} />;
}

/** The calls that a switch turns on or off. */
function SwitchEstimate({ toggle, enables }: { toggle: Toggle; enables: boolean }) {
  const complete = useComplete(toggle)(toggle);
  if (typeof complete === 'string') return null;
  // A switch changes the list at once.
  const before = { ...complete, enabled: toggle.enabled };
  return (
    <Estimate label={enables ? 'Turns on' : 'Turns off'} before={before} after={{ ...before, enabled: enables }} />
  );
}

interface EstimateProps {
  label: string;
  before: Toggle;
  after: Toggle;
}

/** With the name of the toggle as key: a recent change of one toggle says nothing about another. */
function Estimate({ label, before, after }: EstimateProps) {
  const impact = useEstimate(before)({ before, after });
  return (
    <div className="flex gap-x-2 text-secondary">
      <span className="whitespace-nowrap font-semibold text-muted">{label}</span>
      <ImpactEstimate impact={impact} />
    </div>
  );
}
