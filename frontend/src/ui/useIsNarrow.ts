import { useSyncExternalStore } from 'react';

/** Returns a hook that returns whether the window matches the media query. */
function createMatchHook(condition: string): () => boolean {
  const query = typeof matchMedia === 'undefined' ? undefined : matchMedia(condition);
  const subscribe = (changed: () => void) => {
    query?.addEventListener('change', changed);
    return () => query?.removeEventListener('change', changed);
  };
  return () => useSyncExternalStore(subscribe, () => query?.matches ?? false);
}

/** Returns whether the window has the width of a phone: below the `sm` breakpoint of the styles. */
export const useIsNarrow = createMatchHook('(width < 40rem)');

/** Returns whether all filters of a list do not fit into one row: on phones, and on laptops at a zoom of 200 %. */
export const useHasFilterPanel = createMatchHook('(width < 48rem)');
