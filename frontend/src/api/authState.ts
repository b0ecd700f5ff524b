import { createStore } from '@/lib/store';
import type { AuthDetails } from './generated/types';

/** How to sign in, once the server has asked for it; null while nobody is asked. */
export const authState = createStore<AuthDetails | null>(null);

/** The first question stands: a second failing call must not wipe what is being typed. */
export function askToSignIn(body: unknown): void {
  if (authState.get()) return;
  authState.set(typeof body === 'object' && body !== null ? body : {});
}
