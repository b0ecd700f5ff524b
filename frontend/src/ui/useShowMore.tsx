import { type ReactNode, useState } from 'react';

/** Number of chips before the button. */
const FEW = 12;
/** Number of chips after it: lists of users and values may have thousands. */
const MANY = 100;

interface ShownEntries<Entry> {
  shown: readonly Entry[];
  /** Button that shows more of them; null if all are shown. */
  showMore: ReactNode;
  /** The user has asked for more. */
  isExpanded: boolean;
}

/** Limits a list of chips: first 12, then 100, then all. */
export function useShowMore<Entry>(entries: readonly Entry[]): ShownEntries<Entry> {
  const [limit, setLimit] = useState(FEW);
  const isExpanded = limit > FEW;
  const more = entries.length - limit;
  // A button for a single chip would take the place of the chip.
  if (more <= 1) return { shown: entries, showMore: null, isExpanded };
  return {
    shown: entries.slice(0, limit),
    showMore: (
      <button
        type="button"
        onClick={() => setLimit(isExpanded ? Number.POSITIVE_INFINITY : MANY)}
        className="rounded-chip px-2 font-semibold text-accent text-label touch:min-h-touch"
      >
        {isExpanded ? `Show all ${entries.length}` : `${more} more`}
      </button>
    ),
    isExpanded,
  };
}
