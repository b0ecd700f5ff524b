// Changes of the signed-in user: by this tab, by another tab, or while the browser kept this page in its back/forward cache.
import { useEffect, useEffectEvent } from 'react';
import { askToSignIn, authState, isUserKnown } from '@/api/authState';
import { onRead, read } from '@/api/client';
import { user } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { UserResponse } from '@/api/generated/types';
import { clearUserData, refreshAllData, useRead } from '@/api/useRead';
import { isSameUser } from '@/api/profile';
import { onUserReset } from '@/lib/store';
import { basePath } from '@/lib/urls';

/** Two consoles on one host have separate sessions. */
const CHANNEL = `${basePath}:session`;

/** The channel on which this tab listens; undefined while it does not. It does not receive its own messages. */
let ownChannel: BroadcastChannel | undefined;

/** Tells the other tabs that a user has signed in or out. */
export function announceSessionChange(): void {
  const channel = ownChannel ?? new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  if (channel !== ownChannel) channel.close();
}

/** The user whose data is on the page; undefined until known. */
let owner: UserResponse | undefined;
onUserReset(() => (owner = undefined));

// Any read may be the first that shows another user: a sign-in by a redirect in another tab announces nothing.
onRead(user, (current) => {
  const before = owner;
  owner = current;
  isUserKnown.set(true);
  if (!before || isSameUser(before, current)) return;
  clearUserData({ rereads: true });
  owner = current;
  isUserKnown.set(true);
});

/** Number of checks and sign-ins. A check that ends after a newer one says nothing about the session. */
let lastCheck = 0;

/**
 * Closes the sign-in dialog and reads all data again. Data of another user is cleared first; then resolves with true. `current`
 * is the response to a read of the user.
 */
export async function adoptUser(before: UserResponse | undefined, current: UserResponse): Promise<boolean> {
  // The read has cleared the data already.
  const isCleared = before !== undefined && owner === current;
  lastCheck += 1;
  authState.set(null);
  if (before && isSameUser(before, current)) {
    await refreshAllData();
    return false;
  }
  if (!isCleared) clearUserData({ rereads: true });
  return true;
}

/** Reads the user again when another tab has signed in or out, and when the browser shows a page that it has kept. */
export function useSessionChanges(): void {
  const { data: before } = useRead(user);
  const check = useEffectEvent(async () => {
    lastCheck += 1;
    const own = lastCheck;
    const isLatest = () => own === lastCheck;
    try {
      const current = await read(user, { skipSignInPrompt: true });
      if (isLatest()) await adoptUser(before, current);
    } catch (failure) {
      // Other failures say nothing about the session: the end of an outage reads everything again.
      if (!(failure instanceof ApiError) || failure.status !== 401 || !isLatest()) return;
      clearUserData({ rereads: true });
      askToSignIn(failure.body);
    }
  });
  // Other tabs and the browser's history are outside React.
  useEffect(() => {
    const start = () => void check();
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) start();
    };
    const channel = new BroadcastChannel(CHANNEL);
    ownChannel = channel;
    channel.onmessage = start;
    addEventListener('pageshow', onPageShow);
    return () => {
      lastCheck += 1;
      ownChannel = undefined;
      channel.close();
      removeEventListener('pageshow', onPageShow);
    };
  }, []);
}
