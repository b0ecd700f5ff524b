// Recognises changes by the signed-in user, such as from another tab.
import { settings, user } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { isAuthor } from '@/api/profile';

/** Returns whether the signed-in user made the change; false without sign-in, where all changes have one author. */
export function useIsOwnEvent(event: Pick<Event, 'createdBy'> | undefined): boolean {
  const { data: me } = useRead(user);
  const { data: console } = useRead(settings);
  return Boolean(event && me && console?.signOut && isAuthor(me, event.createdBy));
}
