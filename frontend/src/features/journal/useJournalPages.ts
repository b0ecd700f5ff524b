// The journal in pages: the newest lines are read again like every list, older ones on request.

import { useEffect, useRef, useState } from 'react';
import { journal } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { JournalEnd, JournalLine, JournalPage } from '@/api/generated/types';
import { useRead, useWrite } from '@/api/hooks';
import { useUserKey } from '@/lib/store';
import { joinLines, type OlderLines } from './joinLines';

/** Requests of one search for older lines, and of one export. */
const MAX_REQUESTS = 10;
const MAX_EXPORT_REQUESTS = 50;
/** Lines of one request of an export. The server sends no more. */
const EXPORT_LIMIT = 200;

export interface JournalPages {
  /** Newest first; undefined while loading. */
  lines: readonly JournalLine[] | undefined;
  error: ApiError | undefined;
  reload: () => void;
  hasOlder: boolean;
  /** The reason why there are no older lines; null if there are some. */
  end: JournalEnd | null;
  /** Time of the oldest line that was searched; null if there was none. */
  searchedUntil: string | null;
  isLoadingOlder: boolean;
  olderError: ApiError | undefined;
  /** Reads older lines until a page has some. */
  loadOlder: () => void;
  /** Reads all lines that match. Returns whether these are all. */
  readAll: () => Promise<{ lines: readonly JournalLine[]; isComplete: boolean }>;
}

interface OlderRead {
  source: string;
  /** The search that is under way. */
  run?: AbortController;
  error?: ApiError;
}

/** Reads the lines that a query selects. */
export function useJournalPages(query: string): JournalPages {
  const { data: newest, error, reload } = useRead<JournalPage>(journal(query));
  const { fetchFresh } = useWrite();
  const source = `${useUserKey()} ${query}`;
  const [older, setOlder] = useState<OlderLines>();
  const [olderRead, setOlderRead] = useState<OlderRead>({ source });
  const running = useRef<AbortController>(undefined);
  // Requests of a page that is left, of another query, or of another user must not continue.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source is the query and the user.
  useEffect(() => () => running.current?.abort(), [source]);
  const joined = newest && joinLines(newest, older?.source === source ? older : undefined);
  const current = olderRead.source === source ? olderRead : undefined;
  const withParams = (more: { [name: string]: string }) => {
    const params = new URLSearchParams(query);
    for (const [name, value] of Object.entries(more)) params.set(name, value);
    return journal(params.toString());
  };

  async function loadOlder(): Promise<void> {
    if (!joined || joined.next === null || current?.run) return;
    const run = new AbortController();
    running.current = run;
    setOlderRead({ source, run });
    // Another query may have started its own search meanwhile.
    const finish = (result: OlderRead) => setOlderRead((known) => (known.run === run ? result : known));
    let lines = joined.lines;
    let next: string | null = joined.next;
    let end: JournalEnd | null = joined.end;
    let searchedUntil = joined.searchedUntil;
    try {
      for (let count = 0; next !== null && count < MAX_REQUESTS; count += 1) {
        const page: JournalPage = await fetchFresh(withParams({ before: next }), { inline: true });
        if (run.signal.aborted) return finish({ source });
        lines = [...lines, ...page.lines];
        next = page.next;
        end = page.end;
        searchedUntil = page.searchedUntil ?? searchedUntil;
        if (page.lines.length > 0) break;
      }
      setOlder({ source, lines, next, end, searchedUntil });
      finish({ source });
    } catch (failure) {
      if (run.signal.aborted) return finish({ source });
      // The sign-in dialog shows a 401. Other errors are of a user who has left.
      const isShown = failure instanceof ApiError && failure.status !== 401;
      finish({ source, ...(isShown && { error: failure }) });
    }
  }

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
    lines: joined?.lines,
    error,
    reload: () => {
      setOlder(undefined);
      setOlderRead({ source });
      reload();
    },
    hasOlder: joined !== undefined && joined.next !== null,
    end: joined?.end ?? null,
    searchedUntil: joined?.searchedUntil ?? null,
    isLoadingOlder: current?.run !== undefined,
    olderError: current?.error,
    loadOlder: () => void loadOlder(),
    readAll,
  };
}
