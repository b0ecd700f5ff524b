// A list in pages: the newest page is shared and read again, older pages are read on demand.
//
// A page is identified by a cursor, not by an offset, so that new entries neither repeat nor skip one.
import { useEffect, useReducer, useRef, useState } from 'react';
import { useUserKey } from '@/lib/store';
import type { Endpoint } from './client';
import { ApiError } from './error';
import { useRead } from './useRead';
import { useWrite } from './useWrite';

/** Maximum number of pages that one search for older entries reads. */
const MAX_PAGES_PER_SEARCH = 10;

/** Maximum difference between the clocks of the browser and of the server. */
const CLOCK_MS = 5 * 60_000;

/** How a list is divided into pages. */
export interface Paging<Page, Entry, Cursor> {
  /** Entries of a page, newest first; without those that are not older than the cursor of an older page. */
  entriesOf: (page: Page, cursor?: Cursor) => readonly Entry[];
  /** Cursor of the entries that follow; undefined if there are none. */
  nextOf: (page: Page) => Cursor | undefined;
  /** Returns the endpoint of an older page. */
  older: (cursor: Cursor) => Endpoint<Page>;
  isSame: (one: Entry, other: Entry) => boolean;
  /**
   * Time of the oldest entry that the server searched for the page, which may have no entries; undefined if unknown. Entries
   * of older pages then follow a page without a common entry.
   */
  searchedUntil?: (page: Page) => string | undefined;
}

export interface Pages<Page, Entry> {
  /** The entries that were read, newest first and without gaps; undefined while loading. */
  entries: readonly Entry[] | undefined;
  /** The oldest page that was read; undefined while loading. */
  oldest: Page | undefined;
  /** The newest page could not be read. */
  error: ApiError | undefined;
  reload: () => void;
  /** Drops the older entries and reads the newest page again. */
  restart: () => void;
  /** The server can list older entries. */
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** The last page could not be read. */
  olderError: ApiError | undefined;
  /** Reads older entries until a page `isEnough`: by default one page. Stops after ten pages. */
  loadOlder: (isEnough?: (entries: readonly Entry[]) => boolean) => void;
}

/** Consecutive entries of one list, read for one user. */
interface Chain<Page, Entry> {
  /** Identifies the list and the user. */
  source: string;
  entries: readonly Entry[];
  oldest: Page;
  /** Time of the browser at which the newest page was read. */
  readAt: number;
}

type Action<Page, Cursor> =
  | { kind: 'newest' }
  | { kind: 'keep' }
  | { kind: 'drop' }
  | { kind: 'older'; before: Cursor; page: Page };

interface OlderRead {
  source: string;
  isLoading: boolean;
  error?: ApiError;
}

interface NewestPage<Page> {
  source: string;
  page: Page;
}

/** Reads the pages of the list whose newest page is the endpoint. */
export function usePages<Page, Entry, Cursor>(
  endpoint: Endpoint<Page>,
  paging: Paging<Page, Entry, Cursor>,
): Pages<Page, Entry> {
  const { data: newest, error, reload } = useRead<Page>(endpoint);
  const { fetchFresh } = useWrite();
  const source = `${useUserKey()} ${endpoint.path}`;
  const [chain, dispatch] = useReducer(
    (known: Chain<Page, Entry> | undefined, { now, ...action }: Action<Page, Cursor> & { now: number }) =>
      extend(paging, known, action, newest && { source, page: newest }, now),
    undefined,
  );
  const act = (action: Action<Page, Cursor>) => dispatch({ ...action, now: Date.now() });
  const [olderRead, setOlderRead] = useState<OlderRead>({ source, isLoading: false });
  const running = useRef<AbortController>(undefined);
  // Keeps the entries that new ones push out of the newest page. Only the response is an event, so this cannot be derived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is one event.
  useEffect(() => act({ kind: 'newest' }), [newest]);
  // Requests of a page that is left, or of another user, must not continue.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source is the list and the user.
  useEffect(() => () => running.current?.abort(), [source]);
  const joined = newest && join(paging, { source, page: newest }, chain, 0);
  const next = joined && paging.nextOf(joined.oldest);
  const current = olderRead.source === source ? olderRead : undefined;

  async function loadOlder(isEnough: (entries: readonly Entry[]) => boolean = () => true): Promise<void> {
    let before = next;
    if (before === undefined || current?.isLoading) return;
    const run = new AbortController();
    running.current = run;
    setOlderRead({ source, isLoading: true });
    act({ kind: 'keep' });
    // Another list may have started its own search meanwhile.
    const finish = (read: OlderRead) => setOlderRead((known) => (running.current === run ? read : known));
    try {
      for (let count = 0; before !== undefined && count < MAX_PAGES_PER_SEARCH; count += 1) {
        const page: Page = await fetchFresh(paging.older(before), { inline: true, isAction: false });
        if (run.signal.aborted) return finish({ source, isLoading: false });
        act({ kind: 'older', before, page });
        if (isEnough(paging.entriesOf(page, before))) break;
        before = paging.nextOf(page);
      }
      finish({ source, isLoading: false });
    } catch (failure) {
      // The sign-in dialog shows a 401. Other errors are of a user who has left.
      const isShown = !run.signal.aborted && failure instanceof ApiError && failure.status !== 401;
      finish({ source, isLoading: false, ...(isShown && { error: failure }) });
    }
  }

  return {
    entries: joined?.entries,
    oldest: joined?.oldest,
    error,
    reload,
    restart: () => {
      act({ kind: 'drop' });
      setOlderRead({ source, isLoading: false });
      reload();
    },
    hasOlder: next !== undefined,
    isLoadingOlder: current?.isLoading ?? false,
    olderError: current?.error,
    loadOlder: (isEnough) => void loadOlder(isEnough),
  };
}

/** Adds a page to the known entries. Pages that do not follow them are ignored. */
function extend<Page, Entry, Cursor>(
  paging: Paging<Page, Entry, Cursor>,
  known: Chain<Page, Entry> | undefined,
  action: Action<Page, Cursor>,
  newest: NewestPage<Page> | undefined,
  now: number,
): Chain<Page, Entry> | undefined {
  if (action.kind === 'drop') return undefined;
  if (!newest) return known;
  // Without older pages, the newest page is all that is shown.
  if (action.kind === 'newest') return known && join(paging, newest, known, now);
  // From the first request of an older page, which continues the entries that are known now.
  if (action.kind === 'keep') return join(paging, newest, known, now);
  const { before, page } = action;
  const chain = join(paging, newest, known, now);
  if (paging.nextOf(chain.oldest) !== before) return known;
  return { ...chain, entries: [...chain.entries, ...paging.entriesOf(page, before)], oldest: page };
}

/**
 * Returns the newest page followed by the known older entries. If more entries arrived than a page holds, there is a gap: the
 * older entries are then left out, and can be read again.
 */
function join<Page, Entry, Cursor>(
  paging: Paging<Page, Entry, Cursor>,
  { source, page }: NewestPage<Page>,
  known: Chain<Page, Entry> | undefined,
  readAt: number,
): Chain<Page, Entry> {
  const entries = paging.entriesOf(page);
  const newest: Chain<Page, Entry> = { source, entries, oldest: page, readAt };
  if (!known || known.source !== source || paging.nextOf(page) === undefined) return newest;
  const last = entries.at(-1);
  const at = last === undefined ? -1 : known.entries.findIndex((entry) => paging.isSame(entry, last));
  const isCovered = Date.parse(paging.searchedUntil?.(page) ?? '') <= known.readAt - CLOCK_MS;
  if (at < 0 && !isCovered) return newest;
  const isRead = (entry: Entry) => entries.some((one) => paging.isSame(one, entry));
  const older = at < 0 ? known.entries.filter((entry) => !isRead(entry)) : known.entries.slice(at + 1);
  return { source, entries: [...entries, ...older], oldest: known.oldest, readAt };
}
