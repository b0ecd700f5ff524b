// Asks for confirmation before a toggle is switched, naming the environment, if the operator requires it.
import { useServerEnvironment } from '@/api/environment';
import { currentSettings, useSettings } from '@/api/settings';
import { useCachedUiConfig } from '@/api/uiConfigCache';
import { createPagePrompt } from '@/lib/prompt';

interface SwitchRequest {
  /** Toggle name, or the number of toggles. */
  subject: string;
  on: boolean;
}

/** One for the page, used by all switches. */
export const switchPrompt = createPagePrompt<SwitchRequest>({ queues: true });

/** Resolves with true if the toggle may be switched. */
export async function confirmSwitch(subject: string, on: boolean): Promise<boolean> {
  if (!currentSettings()?.confirmWrites) return true;
  return (await switchPrompt.ask({ subject, on })) === true;
}

/**
 * Returns the name of the environment from the flag service or the operator's settings, else the host name. The environments of
 * a slow flag service may become known while the dialog is open.
 */
export function useEnvironmentName(): string {
  const selected = useServerEnvironment()?.name;
  const label = useSettings()?.environment?.label;
  const { environment } = useCachedUiConfig();
  return selected || label || environment || location.host;
}
