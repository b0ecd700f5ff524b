import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { toChangeMarks } from './changeMarks';
import { PERIODS } from './periods';

const START = Date.parse('2026-03-01T13:00:00Z');
const periods = Array.from({ length: PERIODS.hour.number }, (_, index) => ({
  start: START + index * PERIODS.hour.ms,
  counts: undefined,
}));

let id = 0;
function event(minute: number, type: string, more: object = {}): Event {
  id += 1;
  const createdAt = new Date(START + minute * 60_000).toISOString();
  return { id, type, createdBy: 'ada', createdAt, data: { name: 'shop.basket' }, diffs: null, ...more } as Event;
}
const diff = (field: string) => ({ diffs: [{ kind: 'E', path: [field], lhs: 1, rhs: 2 }] });

function marksOf(events: Event[], max = 30) {
  const options = { range: 'hour', locale: 'en', environment: 'production', max } as const;
  return toChangeMarks(events, periods, options).map(({ at, changes }) => [at, changes.map(({ text }) => text)]);
}

test('a mark is at the time of its change, and contains its author', () => {
  expect(marksOf([event(15, 'feature-environment-enabled')])).toEqual([[0.25, ['ada switched the toggle on']]]);
});

test.each([
  ['before the chart', event(-1, 'feature-archived'), 0],
  ['after the chart', event(60, 'feature-archived'), 0],
  ['at its start', event(0, 'feature-created'), 1],
  ['a tag', event(5, 'feature-tagged'), 0],
  ['a status', event(5, 'feature-stale-on'), 0],
  ['a description', event(5, 'feature-updated', diff('description')), 0],
  ['a strategy', event(5, 'feature-updated', diff('strategies')), 1],
  ['an update without differences', event(5, 'feature-updated'), 1],
  ['another environment', event(5, 'feature-environment-enabled', { environment: 'staging' }), 0],
  ['this environment', event(5, 'feature-environment-enabled', { environment: 'production' }), 1],
])('an event of %s', (_, one, count) => {
  expect(marksOf([one])).toHaveLength(count);
});

test('near changes have one mark, and there are never more than fit', () => {
  const near = [event(11, 'feature-archived'), event(10, 'feature-created'), event(13, 'feature-revived')];
  expect(marksOf(near)).toEqual([
    [10.5 / 60, ['ada created the toggle', 'ada archived the toggle']],
    [13 / 60, ['ada revived the toggle']],
  ]);
  const many = Array.from({ length: 600 }, (_, index) => event(index / 10, 'feature-archived'));
  expect(marksOf(many, 12).length).toBeLessThanOrEqual(12);
});
