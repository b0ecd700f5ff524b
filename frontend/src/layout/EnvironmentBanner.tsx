import { settings } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { useSettings } from '@/api/settings';
import { cx } from '@/lib/cx';

/** Banner with the environment's name and the read-only state. It is above everything, including dialogs. */
export function EnvironmentBanner() {
  // Read again when the tab is shown: the binary may have been restarted with other settings.
  useRead(settings);
  const { environment, readOnly = false } = useSettings() ?? {};
  if (!environment && !readOnly) return null;
  return (
    <section
      id="environment-banner"
      aria-label="Environment"
      className={cx(BANNER, !environment && 'bg-inverse text-on-inverse')}
      style={environment ? { background: environment.colour, color: environment.textColour } : undefined}
    >
      {environment && <b className="truncate font-bold">{environment.label}</b>}
      {readOnly && <span className="shrink-0">Read-only</span>}
    </section>
  );
}

const BANNER = 'sticky top-0 z-60 flex h-(--banner-height) items-center justify-center gap-4 px-4 text-secondary';
