// The filter of the journal: its URL parameters, and the query of the request.

import { findPageHeading } from '@/lib/restoreFocus';
import { MINUTE_MS, type TimeRange, validMoment } from '@/shared/timeRange';
import { useUrlParams } from '@/shared/useUrlParams';

const RESULTS = ['accepted', 'refused', 'failed'] as const;
type Result = (typeof RESULTS)[number];

const SOURCES = ['commands'] as const;
type Source = (typeof SOURCES)[number];

export interface JournalFilter extends TimeRange {
  person: string;
  item: string;
  result: Result | '';
  /** Empty for the requests that the server has received. */
  source: Source | '';
}

const noJournalFilter: JournalFilter = { person: '', item: '', result: '', source: '', from: '', until: '' };

const parts = Object.keys(noJournalFilter) as (keyof JournalFilter)[];

function filterFromParams(params: URLSearchParams): JournalFilter {
  const text = (part: keyof JournalFilter) => params.get(part) ?? '';
  return {
    person: text('person'),
    item: text('item'),
    result: RESULTS.find((result) => result === text('result')) ?? '',
    source: SOURCES.find((source) => source === text('source')) ?? '',
    from: validMoment(text('from')),
    until: validMoment(text('until')),
  };
}

function paramsWithFilter(params: URLSearchParams, filter: JournalFilter): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const part of parts) {
    if (filter[part] === '') next.delete(part);
    else next.set(part, filter[part]);
  }
  return next;
}

export function isFiltered(filter: JournalFilter): boolean {
  return parts.some((part) => filter[part].trim() !== '');
}

/** Counts the active filters without the texts. */
export function countPanelFilters({ result, source, from, until }: JournalFilter): number {
  return [result, source, from || until].filter((value) => value !== '').length;
}

/** Returns the query of the request. The last minute of the range is included. */
export function toQuery({ person, item, result, source, from, until }: JournalFilter): string {
  const to = until === '' ? '' : new Date(Date.parse(until) + MINUTE_MS - 1).toISOString();
  const entries = Object.entries({ person: person.trim(), item: item.trim(), result, source, from, to });
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString();
}

export function useJournalFilter() {
  const [params, changeParams] = useUrlParams();
  return {
    filter: filterFromParams(params),
    narrow: (part: Partial<JournalFilter>) =>
      changeParams((current) => paramsWithFilter(current, { ...filterFromParams(current), ...part })),
    clear: () => {
      // The button disappears with the filters, so the focus moves to the heading.
      findPageHeading()?.focus({ preventScroll: true });
      changeParams((current) => paramsWithFilter(current, noJournalFilter));
    },
  };
}
