// Changes of the signed-in user: by this tab, by another tab, or while the browser kept this page in its back/forward cache.
import { useEffect, useEffectEvent } from 'react';
import { askToSignIn, authState } from '@/api/authState';
import { read } from '@/api/client';
import { user } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { UserResponse } from '@/api/generated/types';
import { clearUserData, refreshAllData, useRead } from '@/api/hooks';
import { isSameUser } from '@/api/profile';
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

/** Number of checks and sign-ins. A check that ends after a newer one says nothing about the session. */
let lastCheck = 0;

/** Closes the sign-in dialog and reads all data again. Data of another user is cleared first; then resolves with true. */
export async function adoptUser(before: UserResponse | undefined, current: UserResponse): Promise<boolean> {
  lastCheck += 1;
  authState.set(null);
  if (before && isSameUser(before, current)) {
    await refreshAllData();
    return false;
  }
  clearUserData({ rereads: true });
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
