// The lines of the journal in pages.
import { journal } from '@/api/endpoints';
import type { JournalEnd, JournalLine, JournalPage } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { type Pages, usePages } from '@/api/usePages';

/** Requests and lines of one request of an export. The server sends no more lines. */
const MAX_EXPORT_REQUESTS = 50;
const EXPORT_LIMIT = 200;

export interface JournalPages extends Omit<Pages<JournalPage, JournalLine>, 'entries' | 'oldest' | 'reload'> {
  /** Newest first; undefined while loading. */
  lines: readonly JournalLine[] | undefined;
  /** The reason why there are no older lines; null if there are some. */
  end: JournalEnd | null;
  /** Time of the oldest line that was searched; null if there was none. */
  searchedUntil: string | null;
  /** Reads all lines that match. Returns whether these are all. */
  readAll: () => Promise<{ lines: readonly JournalLine[]; isComplete: boolean }>;
}

/** Reads the lines that a query selects. */
export function useJournalPages(query: string): JournalPages {
  const { fetchFresh } = useWrite();
  const withParams = (more: { [name: string]: string }) => {
    const params = new URLSearchParams(query);
    for (const [name, value] of Object.entries(more)) params.set(name, value);
    return journal(params.toString());
  };
  const { entries, oldest, ...pages } = usePages<JournalPage, JournalLine, string>(journal(query), {
    entriesOf: ({ lines }) => lines,
    nextOf: ({ next }) => next ?? undefined,
    older: (before) => withParams({ before }),
    isSame: (one, other) => one.sequence === other.sequence && one.time === other.time,
    searchedUntil: ({ searchedUntil }) => searchedUntil ?? undefined,
  });

  async function readAll() {
    const limit = String(EXPORT_LIMIT);
    const first = await fetchFresh(withParams({ limit }));
    const lines = [...first.lines];
    let { next } = first;
    for (let count = 1; next !== null && count < MAX_EXPORT_REQUESTS; count += 1) {
      const page = await fetchFresh(withParams({ limit, before: next }));
      lines.push(...page.lines);
      next = page.next;
    }
    return { lines, isComplete: next === null };
  }

  return {
    ...pages,
    lines: entries,
    end: oldest?.end ?? null,
    searchedUntil: oldest?.searchedUntil ?? null,
    /** Until a page has lines. */
    loadOlder: (isEnough = (lines) => lines.length > 0) => pages.loadOlder(isEnough),
    readAll,
  };
}
