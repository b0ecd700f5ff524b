// Asks before a navigation discards unsaved work. `useLeaveGuard` registers the work and observes links and the back button.
import { createPagePrompt } from './prompt';
import { createStore } from './store';

/** Unsaved work on the page. */
export interface LeaveGuard {
  /** Saves the work and resolves with whether the page can be left then. Absent if only its own form can save it. */
  save?: (() => Promise<boolean>) | undefined;
  /** Reason why the work cannot be saved now. */
  saveDisabledReason?: string | undefined;
  /** Discards work that stays on the page after a navigation. */
  discard?: (() => void) | undefined;
}

export const leaveGuards = createStore<readonly LeaveGuard[]>([]);

/** The answer is what has been done with the work. If it could not be saved, the user stays. */
export const leavePrompt = createPagePrompt<void, 'saved' | 'notSaved' | 'discarded'>();

/**
 * Resolves with whether the page may be left; asks if there is unsaved work, and again if there is some after a save: the page
 * can be edited while it is saved. For code that navigates by itself.
 */
export async function confirmLeave(): Promise<boolean> {
  while (leaveGuards.get().length > 0) {
    // When this continues, the closed dialog has been rendered, and with it the effects that end the guards of saved work.
    const answer = await leavePrompt.ask();
    if (answer !== 'saved') return answer === 'discarded';
  }
  return true;
}

let isUnloadConfirmed = false;

/** Returns whether the user has already agreed to leave the document, so that the browser must not ask again. */
export function hasConfirmedUnload(): boolean {
  return isUnloadConfirmed;
}

/** Like `confirmLeave`, for code that then loads another document. */
export async function confirmUnload(): Promise<boolean> {
  if (!(await confirmLeave())) return false;
  isUnloadConfirmed = true;
  // The browser may keep the document, and show it again when the user navigates back.
  addEventListener('pagehide', () => (isUnloadConfirmed = false), { once: true });
  return true;
}
