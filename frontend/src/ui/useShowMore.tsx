import { type ReactNode, useState } from 'react';

/** Beyond it, chips are only drawn on demand: lists of users and of values may hold thousands. */
const INITIAL_COUNT = 100;

/** The first of many chips, and the button that shows all of them. */
export function useShowMore<Entry>(entries: readonly Entry[]): { shown: readonly Entry[]; showMore: ReactNode } {
  const [all, setAll] = useState(false);
  if (all || entries.length <= INITIAL_COUNT) return { shown: entries, showMore: null };
  return {
    shown: entries.slice(0, INITIAL_COUNT),
    showMore: (
      <button
        type="button"
        onClick={() => setAll(true)}
        className="rounded-chip px-2 font-semibold text-accent text-label touch:min-h-touch"
      >
        Show all {entries.length}
      </button>
    ),
  };
}
