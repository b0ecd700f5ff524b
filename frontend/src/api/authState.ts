import { createStore, createUserStore } from '@/lib/store';
import type { AuthDetails } from './generated/types';

/** The sign-in methods from the last 401 response; null while no sign-in is required. */
export const authState = createStore<AuthDetails | null>(null);

/** Whether the signed-in user is known. */
export const isUserKnown = createUserStore(false);

/** Opens the sign-in dialog. Ignored while it is open, so that a second 401 does not clear the form. */
export function askToSignIn(body: unknown): void {
  if (authState.get()) return;
  authState.set(typeof body === 'object' && body !== null ? body : {});
}

/** Number of requests of the user's actions that have not ended. A reload of the page would drop them. */
export const unfinishedActions = createStore(0);

/** Sends a request of an action, and counts it until it has ended. */
export async function countAction<Result>(send: () => Promise<Result>): Promise<Result> {
  unfinishedActions.set(unfinishedActions.get() + 1);
  try {
    return await send();
  } finally {
    unfinishedActions.set(unfinishedActions.get() - 1);
  }
}

/** Resolves when the sign-in dialog has closed, or when one of the signals is aborted. */
export function untilSignedIn(...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe();
      resolve();
    };
    const unsubscribe = authState.subscribe(() => authState.get() ?? end());
    for (const signal of signals) signal?.addEventListener('abort', end, { once: true });
  });
}
