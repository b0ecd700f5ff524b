// The events of a history in pages.
import type { Endpoint } from './client';
import { eventsBefore } from './endpoints';
import type { Event, EventsResponse } from './generated/types';
import { type Pages, usePages } from './usePages';

type Page = Pick<EventsResponse, 'events' | 'nextBefore'>;

export interface EventPages extends Omit<Pages<Page, Event>, 'entries' | 'oldest' | 'restart'> {
  /** The events that were read, newest first and without gaps; undefined while loading. */
  events: readonly Event[] | undefined;
}

export function useEventPages(endpoint: Endpoint<Page>): EventPages {
  const {
    entries,
    oldest: _,
    restart: __,
    ...pages
  } = usePages<Page, Event, number>(endpoint, {
    entriesOf: ({ events }, before) => (before === undefined ? events : events.filter(({ id }) => id < before)),
    nextOf: ({ nextBefore }) => nextBefore,
    older: (before) => eventsBefore(endpoint, before),
    // Ids are used again after a restore of a backup, so the time is compared too.
    isSame: (one, other) => one.id === other.id && one.createdAt === other.createdAt,
  });
  return { events: entries, ...pages };
}
