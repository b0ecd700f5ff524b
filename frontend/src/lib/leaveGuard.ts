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

/** The answer is whether to leave. */
export const leavePrompt = createPagePrompt<void, boolean>();

/** Resolves with whether the page may be left; asks if there is unsaved work. For code that navigates by itself. */
export async function confirmLeave(): Promise<boolean> {
  return leaveGuards.get().length === 0 || (await leavePrompt.ask()) === true;
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
