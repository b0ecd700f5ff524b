import { useSyncExternalStore } from 'react';

const query = typeof matchMedia === 'undefined' ? undefined : matchMedia('(width < 40rem)');

function subscribe(changed: () => void): () => void {
  query?.addEventListener('change', changed);
  return () => query?.removeEventListener('change', changed);
}

/** Returns whether the window has the width of a phone: below the `sm` breakpoint of the styles. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query?.matches ?? false);
}
