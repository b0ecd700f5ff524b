// Asks for confirmation before a toggle is switched, naming the environment, if the operator requires it.
import { currentSettings } from '@/api/settings';
import { cachedUiConfig } from '@/api/uiConfigCache';
import { createStore } from '@/lib/store';

export interface SwitchRequest {
  /** Toggle name, or the number of toggles. */
  subject: string;
  on: boolean;
  environment: string;
  answer: (yes: boolean) => void;
}

export const pendingSwitch = createStore<SwitchRequest | undefined>(undefined);

/** Resolves with true if the toggle may be switched. */
export function confirmSwitch(subject: string, on: boolean): Promise<boolean> {
  if (!currentSettings()?.confirmWrites) return Promise.resolve(true);
  pendingSwitch.get()?.answer(false);
  return new Promise((resolve) => {
    const request: SwitchRequest = {
      subject,
      on,
      environment: environmentName(),
      answer: (yes) => {
        // Keep a newer request that has replaced this one.
        if (pendingSwitch.get() === request) pendingSwitch.set(undefined);
        resolve(yes);
      },
    };
    pendingSwitch.set(request);
  });
}

/** Returns the name of the environment from the operator's settings or the flag service, else the host name. */
function environmentName(): string {
  return currentSettings()?.environment?.label || cachedUiConfig().environment || location.host;
}
