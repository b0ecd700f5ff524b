import { expect, test } from 'vitest';
import { type CallEntry, sumByApplication, sumPeriods, toPeriods } from './periods';

const MINUTE = 60_000;
const END = Date.UTC(2026, 10, 22, 14, 30, 40);
const CURRENT = Date.UTC(2026, 10, 22, 14, 30);

function entry(minutesAgo: number, application: string, yes: number, no: number): CallEntry {
  return { start: CURRENT - minutesAgo * MINUTE, application, yes, no };
}

test('periods without entries differ from periods with zero calls', () => {
  const periods = toPeriods(
    [entry(59, 'a', 1, 2), entry(1, 'a', 0, 0), entry(0, 'a', 3, 0), entry(0, 'b', 4, 5)],
    'hour',
    END,
  );
  expect(periods).toHaveLength(60);
  expect(periods[0]).toEqual({ start: CURRENT - 59 * MINUTE, counts: { yes: 1, no: 2 } });
  expect(periods[57]?.counts).toBeUndefined();
  expect(periods[58]?.counts).toEqual({ yes: 0, no: 0 });
  expect(periods[59]).toEqual({ start: CURRENT, counts: { yes: 7, no: 5 } });
  expect(sumPeriods(periods)).toEqual({ yes: 8, no: 7 });
});

test('entries before the range are left out, and newer ones of a server with a faster clock move its end', () => {
  const periods = toPeriods([entry(60, 'a', 1, 1), entry(-2, 'a', 2, 2)], 'hour', END);
  expect(periods.filter(({ counts }) => counts)).toEqual([{ start: CURRENT + 2 * MINUTE, counts: { yes: 2, no: 2 } }]);
});

test('a week has one period per hour', () => {
  const periods = toPeriods([entry(31, 'a', 1, 0), entry(20, 'a', 1, 0)], 'week', END);
  expect(periods).toHaveLength(168);
  expect(periods.slice(-2)).toEqual([
    { start: CURRENT - 90 * MINUTE, counts: { yes: 1, no: 0 } },
    { start: CURRENT - 30 * MINUTE, counts: { yes: 1, no: 0 } },
  ]);
});

test('applications are sorted by calls, then by name', () => {
  const entries = [entry(2, 'c', 1, 0), entry(1, 'b', 1, 4), entry(0, 'b', 1, 1), entry(0, 'a', 0, 1)];
  expect(sumByApplication(entries)).toEqual([
    { name: 'b', yes: 2, no: 5 },
    { name: 'a', yes: 0, no: 1 },
    { name: 'c', yes: 1, no: 0 },
  ]);
});
