// Asks before a toggle is switched, where the operator wants that, and says where it would be switched.
import { knownSettings } from '@/api/settings';
import { createStore } from '@/lib/store';
import { cachedUiConfig } from '@/lib/uiConfigCache';

export interface SwitchRequest {
  /** One name, or how many. */
  what: string;
  on: boolean;
  environment: string;
  answer: (yes: boolean) => void;
}

export const pendingSwitch = createStore<SwitchRequest | undefined>(undefined);

/** Whether to go on. */
export function confirmSwitch(what: string, on: boolean): Promise<boolean> {
  if (!knownSettings()?.confirmWrites) return Promise.resolve(true);
  pendingSwitch.get()?.answer(false);
  return new Promise((resolve) => {
    const question: SwitchRequest = {
      what,
      on,
      environment: environmentName(),
      answer: (yes) => {
        // Not if another question has replaced it.
        if (pendingSwitch.get() === question) pendingSwitch.set(undefined);
        resolve(yes);
      },
    };
    pendingSwitch.set(question);
  });
}

/** As the operator calls it, else the flag service; without either, by its address. */
function environmentName(): string {
  return knownSettings()?.environment?.label || cachedUiConfig().environment || location.host;
}
