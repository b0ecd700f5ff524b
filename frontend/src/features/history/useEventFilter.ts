import { useMemo } from 'react';
import type { Event } from '@/api/generated/types';
import { findPageHeading } from '@/lib/findPageHeading';
import { useUrlParams } from '@/shared/useUrlParams';
import { type EventFilter, filterFrom, noEventFilter, passingEvents, withFilter } from './eventFilter';

export function useEventFilter(events: readonly Event[] | undefined) {
  const [params, changeParams] = useUrlParams();
  const filter = filterFrom(params);
  const key = JSON.stringify(filter);
  // By its text: whatever else changes the address does not look through all events again.
  const passing = useMemo(() => events && passingEvents(events, JSON.parse(key) as EventFilter), [events, key]);
  return {
    filter,
    passing,
    /** The event that the address names. */
    wanted: params.has('event') ? Number(params.get('event')) : undefined,
    narrow: (part: Partial<EventFilter>) =>
      changeParams((current) => withFilter(current, { ...filterFrom(current), ...part })),
    clear: () => {
      // The button that does it goes with the filters.
      findPageHeading()?.focus({ preventScroll: true });
      changeParams((current) => withFilter(current, noEventFilter));
    },
  };
}
