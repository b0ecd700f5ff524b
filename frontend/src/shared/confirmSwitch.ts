// Asks before a toggle is switched, where the operator wants that, and says where it would be switched.
import { currentSettings } from '@/api/settings';
import { createStore } from '@/lib/store';
import { cachedUiConfig } from '@/lib/uiConfigCache';

export interface Question {
  /** One name, or how many. */
  what: string;
  on: boolean;
  environment: string;
  answer: (yes: boolean) => void;
}

export const pendingQuestion = createStore<Question | undefined>(undefined);

/** Whether to go on. */
export function confirmSwitch(what: string, on: boolean): Promise<boolean> {
  if (!currentSettings()?.confirmWrites) return Promise.resolve(true);
  pendingQuestion.get()?.answer(false);
  return new Promise((resolve) => {
    const question: Question = {
      what,
      on,
      environment: environmentName(),
      answer: (yes) => {
        // Not if another question has replaced it.
        if (pendingQuestion.get() === question) pendingQuestion.set(undefined);
        resolve(yes);
      },
    };
    pendingQuestion.set(question);
  });
}

/** As the operator calls it, else the flag service; without either, by its address. */
function environmentName(): string {
  return currentSettings()?.environment?.label || cachedUiConfig().environment || location.host;
}
