import { useMemo } from 'react';
import { events } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { getEventName, getToggleAction } from '@/domain/events/eventType';

/**
 * Returns the events that archived toggles, by their names. The list of archived toggles names neither the time nor the
 * user. Only the newest events are read, so that toggles archived long ago have no entry.
 */
export function useArchivals(isNeeded: boolean): ReadonlyMap<string, Event> {
  const newest = useRead(isNeeded ? events : null).data?.events;
  return useMemo(() => {
    const archivals = (newest ?? []).filter((event) => getToggleAction(event) === 'archived');
    // Sorted from new to old: of several events, the newest remains.
    return new Map(archivals.toReversed().map((event) => [getEventName(event), event]));
  }, [newest]);
}
