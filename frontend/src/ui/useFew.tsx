import { type ReactNode, useState } from 'react';

/** Beyond it, chips are only drawn on demand: lists of users and of values may hold thousands. */
const FEW = 100;

/** The first of many chips, and the button that shows all of them. */
export function useFew<Entry>(entries: readonly Entry[]): { few: readonly Entry[]; more: ReactNode } {
  const [all, setAll] = useState(false);
  if (all || entries.length <= FEW) return { few: entries, more: null };
  return {
    few: entries.slice(0, FEW),
    more: (
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
