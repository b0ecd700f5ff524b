import { type ReactNode, useState } from 'react';

/** Chips beyond this number are rendered on demand: lists of users and values may have thousands. */
const INITIAL_COUNT = 100;

/** Limits a list of chips. `showMore` is a button that shows all of them. */
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
