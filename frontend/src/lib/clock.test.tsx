// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockNow, subscribeClock } from './clock';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a render reads the same time twice, also before anything follows the clock', () => {
  vi.setSystemTime('2026-01-05T10:00:00.000Z');
  const first = clockNow();
  vi.setSystemTime('2026-01-05T10:00:00.001Z');
  expect(clockNow()).toBe(first);
});

test('the time is the present one after a pause, and after the clock of the computer was set back', () => {
  for (const now of ['2026-01-05T12:00:00Z', '2026-01-05T09:00:00Z']) {
    vi.setSystemTime(now);
    expect(clockNow()).toBe(Date.parse(now));
  }
});

test('a listener learns of the time every five seconds until it ends', () => {
  vi.setSystemTime('2026-01-05T10:00:00Z');
  const listener = vi.fn();
  const end = subscribeClock(listener);
  vi.advanceTimersByTime(5000);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(clockNow()).toBe(Date.parse('2026-01-05T10:00:05Z'));
  end();
  vi.advanceTimersByTime(5000);
  expect(listener).toHaveBeenCalledTimes(1);
});
