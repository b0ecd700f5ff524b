import type { JournalLine, JournalPage } from '@/api/generated/types';

/** Lines that were read before the newest page, with those of that time. */
export interface OlderLines extends Pick<JournalPage, 'next' | 'end' | 'searchedUntil'> {
  /** Identifies the query and the user. */
  source: string;
  lines: readonly JournalLine[];
}

interface JoinedLines extends Pick<JournalPage, 'next' | 'end' | 'searchedUntil'> {
  lines: readonly JournalLine[];
}

/**
 * Returns the newest page followed by the known older lines. If more lines arrived than a page holds, there is a gap: the older
 * lines are then left out, and can be read again.
 */
export function joinLines(newest: JournalPage, known: OlderLines | undefined): JoinedLines {
  const last = newest.lines.at(-1);
  if (!known || newest.next === null || !last) return newest;
  const at = known.lines.findIndex(({ sequence, time }) => sequence === last.sequence && time === last.time);
  if (at < 0) return newest;
  const { next, end, searchedUntil } = known;
  return { lines: [...newest.lines, ...known.lines.slice(at + 1)], next, end, searchedUntil };
}
