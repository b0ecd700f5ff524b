// The filter of the history: its URL parameters, and the events that match.

import { useMemo } from 'react';
import type { Event } from '@/api/generated/types';
import { compareNames } from '@/lib/compareNames';
import { findPageHeading } from '@/lib/restoreFocus';
import { MINUTE_MS, type TimeRange, validMoment } from '@/shared/timeRange';
import { useUrlParams } from '@/shared/useUrlParams';

export interface EventFilter extends TimeRange {
  text: string;
  user: string;
  type: string;
}

export const noEventFilter: EventFilter = { text: '', user: '', type: '', from: '', until: '' };

/** Names of the URL parameters. */
const PARAMS: { [part in keyof EventFilter]: string } = {
  text: 'search',
  user: 'user',
  type: 'type',
  from: 'from',
  until: 'until',
};

const parts = Object.keys(PARAMS) as (keyof EventFilter)[];

export function filterFromParams(params: URLSearchParams): EventFilter {
  const entries = parts.map((part) => [part, params.get(PARAMS[part]) ?? '']);
  const filter: EventFilter = { ...noEventFilter, ...Object.fromEntries(entries) };
  return { ...filter, from: validMoment(filter.from), until: validMoment(filter.until) };
}

/** Writes the filter to the URL parameters. The linked event is removed, because the filter may exclude it. */
export function paramsWithFilter(params: URLSearchParams, filter: EventFilter): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('event');
  for (const part of parts) {
    if (filter[part] === '') next.delete(PARAMS[part]);
    else next.set(PARAMS[part], filter[part]);
  }
  return next;
}

export function isFiltered(filter: EventFilter): boolean {
  return parts.some((part) => filter[part].trim() !== '');
}

/** Counts the active filters without the text. */
export function countPanelFilters({ user, type, from, until }: EventFilter): number {
  return [user, type, from || until].filter((value) => value !== '').length;
}

export function filterEvents(events: readonly Event[], filter: EventFilter): readonly Event[] {
  if (!isFiltered(filter)) return events;
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  const [from, until] = [Date.parse(filter.from), Date.parse(filter.until)];
  return events.filter((event) => {
    const at = Date.parse(event.createdAt);
    return (
      (filter.user === '' || event.createdBy === filter.user) &&
      (filter.type === '' || event.type === filter.type) &&
      (Number.isNaN(from) || at >= from) &&
      (Number.isNaN(until) || at < until + MINUTE_MS) &&
      (words.length === 0 || containsAll(event, words))
    );
  });
}

function containsAll(event: Event, words: readonly string[]): boolean {
  const text = searchTextOf(event);
  return words.every((word) => text.includes(word));
}

const searchTexts = new WeakMap<Event, string>();

/** The text of an event is kept, because each change of the search reads all events. */
function searchTextOf(event: Event): string {
  const known = searchTexts.get(event);
  if (known !== undefined) return known;
  const { type, createdBy, data, diffs } = event;
  const text = `${type} ${createdBy} ${JSON.stringify([data, diffs])}`.toLowerCase();
  searchTexts.set(event, text);
  return text;
}

/** Returns whether the events reach back to before the time range, so that older events cannot match. */
export function isBeforeFilter(events: readonly Event[], { from }: EventFilter): boolean {
  const oldest = events.at(-1);
  return from !== '' && oldest !== undefined && Date.parse(oldest.createdAt) < Date.parse(from);
}

/** The distinct values of a property, sorted. */
export function filterChoices(events: readonly Event[], part: 'createdBy' | 'type'): string[] {
  return [...new Set(events.map((event) => event[part]))].sort(compareNames);
}

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
