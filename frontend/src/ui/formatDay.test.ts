import { expect, test } from 'vitest';
import { formatClock, formatDay } from './DayTime';

test('formats the day in English words, or as a date of the locale', () => {
  const time = (day: number, hour: number) => new Date(2026, 5, day, hour, 5).getTime();
  const midnight = time(15, 0);
  expect(formatDay(time(15, 23), midnight, 'de')).toBe('Today');
  expect(formatDay(time(14, 23), midnight, 'de')).toBe('Yesterday');
  expect(formatDay(time(13, 23), midnight, 'de')).toBe('13.06.2026');
  expect(formatDay(time(13, 23), midnight, 'en-GB')).toBe('13 Jun 2026');
  expect(formatClock(time(15, 17), 'de')).toBe('17:05');
  expect(formatClock(time(15, 17), 'en-US')).toMatch(/^5:05\sPM$/u);
});
