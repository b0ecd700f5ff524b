import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from './debounce';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs once with the latest arguments after the delay', () => {
  const seen: string[] = [];
  const push = debounce((text: string) => void seen.push(text), 500);
  push('a');
  vi.advanceTimersByTime(499);
  push('ab');
  vi.advanceTimersByTime(499);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual(['ab']);
});

test('flush runs a pending call at once and only once', () => {
  const seen: string[] = [];
  const push = debounce((text: string) => void seen.push(text), 500);
  push('a');
  push.flush();
  push.flush();
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual(['a']);
});

test('cancel discards a pending call', () => {
  const seen: string[] = [];
  const push = debounce((text: string) => void seen.push(text), 500);
  push('a');
  push.cancel();
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([]);
});
