import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { groupByDay } from './EventLog';

test('groups consecutive events by local day, also if their times are out of order or invalid', () => {
  const at = (day: number, hour: number) => new Date(2026, 0, day, hour).toISOString();
  const times = [at(6, 9), at(6, 1), at(5, 23), at(6, 8), 'never', 'never'];
  const events = times.map(
    (createdAt, id): Event => ({ id, type: '', createdBy: '', createdAt, data: null, diffs: null }),
  );
  const entries = events.map((event) => ({ event }));
  const ids = groupByDay(entries).map((day) => day.entries.map(({ event }) => event.id));
  expect(ids).toEqual([[0, 1], [2], [3], [4, 5]]);
  const keys = groupByDay(entries).map(({ key }) => key);
  expect(new Set(keys).size).toBe(4);
  expect(groupByDay(entries.slice(1)).map(({ key }) => key)).toEqual(keys);
});
