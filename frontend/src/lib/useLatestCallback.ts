import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function that calls the callback of the latest render, for code that continues after the user has answered. */
export function useLatestCallback<Args extends unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(callback);
  // An effect, because rendering writes no ref. A layout effect, so that no event comes before it.
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
