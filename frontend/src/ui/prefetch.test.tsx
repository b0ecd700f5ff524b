// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prefetch } from './lazy';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('prefetches after the page has loaded', () => {
  const load = vi.fn();
  prefetch(load);
  expect(load).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(load).toHaveBeenCalledOnce();
});

it('prefetches nothing if the browser saves data', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  const load = vi.fn();
  prefetch(load);
  vi.runAllTimers();
  expect(load).not.toHaveBeenCalled();
});
