// Asks for confirmation before a toggle is switched, naming the environment, if the operator requires it.
import { currentServerEnvironment } from '@/api/environment';
import { currentSettings } from '@/api/settings';
import { cachedUiConfig } from '@/api/uiConfigCache';
import { createPagePrompt } from '@/lib/prompt';

interface SwitchRequest {
  /** Toggle name, or the number of toggles. */
  subject: string;
  on: boolean;
  environment: string;
}

/** One for the page, used by all switches. */
export const switchPrompt = createPagePrompt<SwitchRequest>();

/** Resolves with true if the toggle may be switched. */
export async function confirmSwitch(subject: string, on: boolean): Promise<boolean> {
  if (!currentSettings()?.confirmWrites) return true;
  return (await switchPrompt.ask({ subject, on, environment: environmentName() })) === true;
}

/** Returns the name of the environment from the flag service or the operator's settings, else the host name. */
function environmentName(): string {
  const selected = currentServerEnvironment()?.name;
  return selected || currentSettings()?.environment?.label || cachedUiConfig().environment || location.host;
}
