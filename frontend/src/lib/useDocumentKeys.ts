import { useEffect, useEffectEvent } from 'react';

/** Calls `onKey` for each key that is pressed on the page, wherever the focus is. */
export function useDocumentKeys(onKey: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onKey);
  // An effect, because React receives only the keys that are pressed inside a component.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
