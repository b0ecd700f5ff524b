import type { Event } from '@/api/generated/types';

/** Returns the event with the highest id; undefined if there are no events. */
export function findNewestEvent(events: readonly Event[]): Event | undefined {
  return events.reduce<Event | undefined>(
    (newest, event) => (newest && newest.id > event.id ? newest : event),
    undefined,
  );
}
