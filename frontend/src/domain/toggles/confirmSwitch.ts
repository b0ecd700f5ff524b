// Asks for confirmation before a toggle is switched, or its rollout is set by a command, naming the environment, if the
// operator requires it.
import { useServerEnvironment } from '@/api/environment';
import { currentSettings, useSettings } from '@/api/settings';
import { useCachedUiConfig } from '@/api/uiConfigCache';
import { createPagePrompt } from '@/lib/prompt';

interface SwitchRequest {
  /** Toggle name, or the number of toggles. */
  subject: string;
  /** The new state, or the new percentage of a rollout. */
  on: boolean | number;
}

/** One for the page, used by all switches. */
export const switchPrompt = createPagePrompt<SwitchRequest>({ queues: true });

/** Resolves with true if the toggle may be switched. */
export async function confirmSwitch(subject: string, on: boolean): Promise<boolean> {
  return ask({ subject, on });
}

async function ask(request: SwitchRequest): Promise<boolean> {
  return !currentSettings()?.confirmWrites || (await switchPrompt.ask(request)) === true;
}

/** Resolves with true if a command may set the rollout of a toggle. */
export async function confirmRollout(subject: string, percent: number): Promise<boolean> {
  return ask({ subject, on: percent });
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
