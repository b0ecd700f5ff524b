import { expect, test, vi } from 'vitest';
import type { Event } from '@/api/generated/types';
import { findPeriod, formatTimeRange, PERIODS, rangeOfPeriod, toUtc } from '@/shared/timeRange';
import { toLocalTime } from '@/ui/DateTimeField';
import {
  countPanelFilters,
  type EventFilter,
  filterChoices,
  filterEvents,
  filterFromParams,
  isBeforeFilter,
  isFiltered,
  noEventFilter,
  paramsWithFilter,
} from './eventFilter';

const event = (id: number, more: Partial<Event>): Event => ({
  id,
  type: 'feature-updated',
  createdBy: 'ada@example.com',
  createdAt: `2026-01-0${id}T10:00:30.000Z`,
  data: { name: 'shop.basket' },
  diffs: null,
  ...more,
});

const events = [
  event(4, { type: 'strategy-created', data: { name: 'byRegion' }, createdBy: 'grace@example.com' }),
  event(3, { diffs: [{ kind: 'E', path: ['description'], lhs: 'Small', rhs: 'Large' }] }),
  event(2, { createdBy: 'grace@example.com' }),
  event(1, { type: 'feature-created', data: null }),
];

test.each<[Partial<EventFilter>, number[]]>([
  [{}, [4, 3, 2, 1]],
  [{ text: 'LARGE' }, [3]],
  [{ text: ' basket  grace ' }, [2]],
  [{ text: 'created' }, [4, 1]],
  [{ text: 'nothing like this' }, []],
  [{ user: 'grace@example.com' }, [4, 2]],
  [{ user: 'grace' }, []],
  [{ type: 'feature-updated', user: 'grace@example.com' }, [2]],
  [{ from: '2026-01-03T10:00:00.000Z' }, [4, 3]],
  [{ from: '2026-01-02T10:01:00.000Z', until: '2026-01-03T10:00:00.000Z' }, [3]],
  [{ until: '2026-01-01T09:59:00.000Z' }, []],
])('the filter %j matches the events %j', (filter, ids) => {
  expect(filterEvents(events, { ...noEventFilter, ...filter }).map(({ id }) => id)).toEqual(ids);
});

test('a filter can be read back from the URL, and replaces the linked event', () => {
  const filter = { text: 'a & b', user: 'ada', type: 'tag', from: '2026-01-03T10:00:00.000Z', until: '' };
  const params = paramsWithFilter(new URLSearchParams('event=12&other=x'), filter);
  expect(params.has('event')).toBe(false);
  expect(params.get('other')).toBe('x');
  expect(filterFromParams(new URLSearchParams(params.toString()))).toEqual(filter);
  expect(paramsWithFilter(params, noEventFilter).toString()).toBe('other=x');
  expect(filterFromParams(new URLSearchParams('from=yesterday'))).toEqual(noEventFilter);
});

test('white space is no filter', () => {
  expect(isFiltered({ ...noEventFilter, text: '  ' })).toBe(false);
  expect(isFiltered({ ...noEventFilter, until: '2026-01-03T10:00:00.000Z' })).toBe(true);
});

test('counts the filters of the panel: the user, the type and the time', () => {
  const [from, until] = ['2026-01-03T10:00:00.000Z', '2026-01-04T10:00:00.000Z'];
  expect(countPanelFilters({ ...noEventFilter, text: 'shop' })).toBe(0);
  expect(countPanelFilters({ ...noEventFilter, until })).toBe(1);
  expect(countPanelFilters({ text: 'shop', user: 'ada', type: 'tag', from, until })).toBe(3);
});

test('describes the time range in a locale', () => {
  const from = toUtc('2026-01-05T10:00') ?? '';
  const until = toUtc('2026-02-06T18:30') ?? '';
  expect(formatTimeRange(noEventFilter, 'de')).toBe('Any time');
  expect(formatTimeRange({ ...noEventFilter, from }, 'de')).toBe('Since 5. Jan., 10:00');
  expect(formatTimeRange({ ...noEventFilter, until }, 'en-GB')).toBe('Until 6 Feb, 18:30');
  expect(formatTimeRange({ ...noEventFilter, from, until }, 'en-GB')).toBe('5 Jan, 10:00 – 6 Feb, 18:30');
});

test('lists each user and type once, sorted', () => {
  expect(filterChoices(events, 'createdBy')).toEqual(['ada@example.com', 'grace@example.com']);
  expect(filterChoices(events, 'type')).toEqual(['feature-created', 'feature-updated', 'strategy-created']);
});

test('a field shows a time in the time zone of the browser', () => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-60);
  expect(toLocalTime('2026-01-05T10:00:00Z')).toBe('2026-01-05T11:00');
  vi.restoreAllMocks();
});

test('converts a time to the local field and back', () => {
  expect(toUtc('')).toBe('');
  expect(toLocalTime('')).toBe('');
  expect(toUtc('0202-01-05T10:00')).toBeUndefined();
  expect(toUtc('soon')).toBeUndefined();
  const moment = toUtc('2026-01-05T10:00') ?? '';
  expect(moment).toMatch(/Z$/);
  expect(toLocalTime(moment)).toBe('2026-01-05T10:00');
});

test('periods are ranges of local days, and are recognised on the same day', () => {
  const now = new Date(2026, 2, 5, 10, 30, 40).getTime();
  const local = (day: number, hour = 0, minute = 0) => new Date(2026, 2, day, hour, minute).toISOString();
  expect(PERIODS.map((period) => rangeOfPeriod(period, now))).toEqual([
    { from: '', until: '' },
    { from: local(5, 9, 30), until: '' },
    { from: local(5), until: '' },
    { from: local(4), until: local(4, 23, 59) },
    { from: local(-1), until: '' },
  ]);
  for (const period of PERIODS) expect(findPeriod(rangeOfPeriod(period, now), now)).toBe(period);
  const tomorrow = new Date(2026, 2, 6, 10, 30).getTime();
  expect(findPeriod(rangeOfPeriod('today', now), tomorrow)).toBeUndefined();
  expect(findPeriod({ from: local(5), until: local(5, 10) }, now)).toBeUndefined();
});

test('yesterday contains its first and its last second', () => {
  const now = new Date(2026, 2, 5, 10).getTime();
  const filter = { ...noEventFilter, ...rangeOfPeriod('yesterday', now) };
  const times = [
    new Date(2026, 2, 4),
    new Date(2026, 2, 4, 23, 59, 59),
    new Date(2026, 2, 3, 23, 59, 59),
    new Date(2026, 2, 5),
  ];
  const all = times.map((time, index) => event(index, { createdAt: time.toISOString() }));
  expect(filterEvents(all, filter).map(({ id }) => id)).toEqual([0, 1]);
});

test('older events cannot match a time range that ended before them', () => {
  const from = '2026-01-02T00:00:00.000Z';
  expect(isBeforeFilter(events, { ...noEventFilter, from })).toBe(true);
  expect(isBeforeFilter(events.slice(0, 2), { ...noEventFilter, from })).toBe(false);
  expect(isBeforeFilter(events, noEventFilter)).toBe(false);
  expect(isBeforeFilter([], { ...noEventFilter, from })).toBe(false);
});
