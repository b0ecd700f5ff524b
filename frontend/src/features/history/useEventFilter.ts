import { useMemo } from 'react';
import type { Event } from '@/api/generated/types';
import { pageHeading } from '@/lib/pageHeading';
import { useUrlParams } from '@/shared/useUrlParams';
import { type EventFilter, filterEvents, filterFromParams, noEventFilter, paramsWithFilter } from './eventFilter';

export function useEventFilter(events: readonly Event[] | undefined) {
  const [params, changeParams] = useUrlParams();
  const filter = filterFromParams(params);
  const key = JSON.stringify(filter);
  // By its text: whatever else changes the address does not look through all events again.
  const matching = useMemo(() => events && filterEvents(events, JSON.parse(key) as EventFilter), [events, key]);
  return {
    filter,
    matching,
    /** The event that the address names. */
    linkedEvent: params.has('event') ? Number(params.get('event')) : undefined,
    narrow: (part: Partial<EventFilter>) =>
      changeParams((current) => paramsWithFilter(current, { ...filterFromParams(current), ...part })),
    clear: () => {
      // The button that does it goes with the filters.
      pageHeading()?.focus({ preventScroll: true });
      changeParams((current) => paramsWithFilter(current, noEventFilter));
    },
  };
}
