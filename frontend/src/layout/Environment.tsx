// Identification of the environment on every page: a line at the top edge, and chips in the header.
import { settings } from '@/api/endpoints';
import { useServerEnvironment } from '@/api/environment';
import { useRead } from '@/api/useRead';
import { useSettings } from '@/api/settings';
import { useCachedUiConfig } from '@/api/uiConfigCache';
import { cx } from '@/lib/cx';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { EnvironmentPicker, typeColour, typeOfName } from './EnvironmentPicker';

interface EnvironmentAppearance {
  label: string;
  /** True if the operator chose the label, and not the flag service. */
  isConfigured: boolean;
}

/** The environment that the operator configured, or else that of the flag service. Newer servers have a picker instead. */
export function useEnvironment(): EnvironmentAppearance | undefined {
  const { environment, server } = useSettings() ?? {};
  const { environment: label } = useCachedUiConfig();
  if (environment) return { label: environment, isConfigured: true };
  return label && !server ? { label, isConfigured: false } : undefined;
}

/** Line at the top edge, above everything, including dialogs. It takes no space. */
export function EnvironmentLine() {
  // Read again when the tab is shown: the binary may have been restarted with other settings.
  useRead(settings);
  const environment = useEnvironment();
  const ofServer = useServerEnvironment();
  const { headerBackground } = useCachedUiConfig();
  // A header in the colour of the flag service identifies the environment by itself.
  if (!(environment ?? ofServer) || (headerBackground && !environment?.isConfigured)) return null;
  const type = environment ? typeOfName(environment.label) : ofServer?.type;
  return <div data-testid="environment-line" className={cx(LINE, typeColour(type))} />;
}

/** Chips with the environment's name and the read-only state. */
export function EnvironmentChips() {
  const environment = useEnvironment();
  const isReadOnly = useSettings()?.readOnly;
  return (
    <span className="flex shrink-0 items-end gap-x-1.5 gap-y-0.5 max-[900px]:ml-auto max-sm:flex-col">
      {environment && (
        <span
          data-testid="environment"
          title={environment.label}
          className={cx(CHIP, typeColour(typeOfName(environment.label)))}
        >
          <VisuallyHidden>Environment: </VisuallyHidden>
          {environment.label}
        </span>
      )}
      <EnvironmentPicker />
      {isReadOnly && (
        <span data-testid="read-only" data-reason={READ_ONLY_REASON} className={cx(CHIP, 'bg-inverse text-on-inverse')}>
          Read-only
          <VisuallyHidden>: {READ_ONLY_REASON}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}

const READ_ONLY_REASON = 'Changes are disabled in this console.';

const LINE = 'forced-color-adjust-none pointer-events-none fixed inset-x-0 top-0 z-60 h-[3px]';

const CHIP =
  'forced-color-adjust-none max-w-40 lg:max-w-80 truncate rounded-chip px-2 py-1 font-bold text-[11px] uppercase leading-4 tracking-[0.03em] max-sm:py-0.5';
