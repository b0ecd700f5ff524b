// Asks before a navigation discards unsaved work. `useLeaveGuard` registers the work and observes links and the back button.
import { createPrompt } from './prompt';
import { createStore, useStore } from './store';

/** Unsaved work on the page. */
export interface LeaveGuard {
  /** Saves the work and resolves with whether the page can be left then. Absent if only its own form can save it. */
  save?: (() => Promise<boolean>) | undefined;
  /** Reason why the work cannot be saved now. */
  saveDisabledReason?: string | undefined;
  /** Discards work that stays on the page after a navigation. */
  discard?: (() => void) | undefined;
}

interface LeaveQuestion {
  canSave: boolean;
  saveDisabledReason: string | undefined;
}

export const leaveGuards = createStore<readonly LeaveGuard[]>([]);

export const leavePrompt = createPrompt<LeaveQuestion, 'save' | 'discard'>();

export function useHasUnsavedWork(): boolean {
  return useStore(leaveGuards).length > 0;
}

/** Resolves with whether the page may be left; asks if there is unsaved work. For code that navigates by itself. */
export async function confirmLeave(): Promise<boolean> {
  const guards = leaveGuards.get();
  if (guards.length === 0) return true;
  const choice = await leavePrompt.ask({
    canSave: guards.every(({ save }) => save),
    saveDisabledReason: guards.find(({ saveDisabledReason }) => saveDisabledReason)?.saveDisabledReason,
  });
  if (choice === 'save') return saveAll();
  if (choice === 'discard') for (const { discard } of leaveGuards.get()) discard?.();
  return choice === 'discard';
}

/** Saves all work, until a save fails. */
async function saveAll(): Promise<boolean> {
  for (const { save } of leaveGuards.get()) if (!(await save?.())) return false;
  return true;
}
