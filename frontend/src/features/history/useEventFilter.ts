import { useMemo } from 'react';
import type { Event } from '@/api/generated/types';
import { findPageHeading } from '@/lib/findPageHeading';
import { useUrlParams } from '@/shared/useUrlParams';
import { type EventFilter, filterEvents, filterFromParams, noEventFilter, paramsWithFilter } from './eventFilter';

export function useEventFilter(events: readonly Event[] | undefined) {
  const [params, changeParams] = useUrlParams();
  const filter = filterFromParams(params);
  const key = JSON.stringify(filter);
  // The key is text, so that other URL changes do not filter all events again.
  const matching = useMemo(() => events && filterEvents(events, JSON.parse(key) as EventFilter), [events, key]);
  return {
    filter,
    matching,
    /** The event that the URL names. */
    linkedEvent: params.has('event') ? Number(params.get('event')) : undefined,
    narrow: (part: Partial<EventFilter>) =>
      changeParams((current) => paramsWithFilter(current, { ...filterFromParams(current), ...part })),
    clear: () => {
      // The button disappears with the filters, so the focus moves to the heading.
      findPageHeading()?.focus({ preventScroll: true });
      changeParams((current) => paramsWithFilter(current, noEventFilter));
    },
  };
}
