import { createStore } from '@/lib/store';
import type { AuthDetails } from './generated/types';

/** The sign-in methods from the last 401 response; null while no sign-in is required. */
export const authState = createStore<AuthDetails | null>(null);

/** Opens the sign-in dialog. Ignored while it is open, so that a second 401 does not clear the form. */
export function askToSignIn(body: unknown): void {
  if (authState.get()) return;
  authState.set(typeof body === 'object' && body !== null ? body : {});
}
