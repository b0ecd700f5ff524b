// Whether a change was made by whoever is signed in: from another tab, or before an edit that was left open.
import { settings, user } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { isAuthor } from '@/lib/profile';

/** Never where nobody signs in: there, everybody's changes bear the same name. */
export function useIsMine(event: Pick<Event, 'createdBy'> | undefined): boolean {
  const { data: me } = useRead(user);
  const { data: console } = useRead(settings);
  return Boolean(event && me && console?.signOut && isAuthor(me, event.createdBy));
}
