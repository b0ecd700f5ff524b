// Asks for confirmation before a change takes effect for users, naming the environment, if the operator requires it.
import { useServerEnvironment } from '@/api/environment';
import type { Effect } from '@/api/generated/types';
import { currentSettings, useSettings } from '@/api/settings';
import { useCachedUiConfig } from '@/api/uiConfigCache';
import { createPagePrompt } from '@/lib/prompt';

interface Change {
  /** Toggle name, or the number of toggles. */
  subject: string;
  /** Label of the button. */
  action: 'Enable' | 'Disable' | 'Save' | 'Apply';
  /** Effect on who gets the feature, unless the action names it. */
  effect?: Effect;
  /** Estimated effect, such as `Now: 9,000 of 36,000 checks per hour. After saving: ≈ 18,000 (50 %).`. */
  impact?: string;
  /** Names of the toggles that are switched off. */
  switchedOff?: readonly string[];
}

/** One for the page, used by all toggles. */
export const switchPrompt = createPagePrompt<Change>({ queues: true });

/** Resolves with true if the toggle may be switched. `names`: the toggles, if the subject is their number. */
export function confirmSwitch(subject: string, on: boolean, names: readonly string[] = [subject]): Promise<boolean> {
  return confirm(on ? { subject, action: 'Enable' } : { subject, action: 'Disable', switchedOff: names });
}

/** Resolves with true if a change of an enabled toggle may be saved that may give the feature to somebody for the first time. */
export function confirmWidening(subject: string, effect: Effect, impact: string): Promise<boolean> {
  return confirm({ subject, action: 'Save', effect, impact });
}

/** Resolves with true if a plan may be applied. `impact`: the changes that may widen who gets a feature. */
export function confirmPlan(subject: string, impact: string | undefined): Promise<boolean> {
  return confirm({ subject, action: 'Apply', ...(impact !== undefined && { impact }) });
}

async function confirm(change: Change): Promise<boolean> {
  if (!currentSettings()?.confirmWrites) return true;
  return (await switchPrompt.ask(change)) === true;
}

/**
 * Returns the name of the environment from the flag service or the operator's settings, else the host name. The environments of
 * a slow flag service may become known while the dialog is open.
 */
export function useEnvironmentName(): string {
  const selected = useServerEnvironment()?.name;
  const label = useSettings()?.environment;
  const { environment } = useCachedUiConfig();
  return selected || label || environment || location.host;
}
