import { settings, user } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { isAuthor } from '@/api/profile';
import { useRead } from '@/api/useRead';

/**
 * Returns a function that returns whether the signed-in user made a change. Without sign-in, all changes have one author,
 * so that it returns false.
 */
export function useIsOwnEvent(): (event: Pick<Event, 'createdBy'> | undefined) => boolean {
  const { data: me } = useRead(user);
  const { data: console } = useRead(settings);
  return (event) => Boolean(event && me && console?.signOut && isAuthor(me, event.createdBy));
}
