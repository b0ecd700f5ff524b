// The events of a history in pages: the newest page is shared and read again; older pages are read on demand.
//
// A page is identified by an event, not by an offset, so that new events neither repeat nor skip one.
import { useEffect, useReducer, useRef, useState } from 'react';
import { useUserKey } from '@/lib/store';
import type { Endpoint } from './client';
import { eventsBefore } from './endpoints';
import { ApiError } from './error';
import type { Event, EventsResponse } from './generated/types';
import { useRead, useWrite } from './hooks';

type Page = Pick<EventsResponse, 'events' | 'nextBefore'>;

/** Maximum number of pages that one search for older events reads. */
const MAX_PAGES_PER_SEARCH = 10;

export interface EventPages {
  /** The events that were read, newest first and without gaps; undefined while loading. */
  events: readonly Event[] | undefined;
  /** The newest page could not be read. */
  error: ApiError | undefined;
  reload: () => void;
  /** The server can list older events. */
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** The last page could not be read. */
  olderError: ApiError | undefined;
  /** Reads older events until a page `isEnough`: by default one page. Stops after ten pages. */
  loadOlder: (isEnough?: (events: readonly Event[]) => boolean) => void;
}

/** Consecutive events of one history, read for one user. */
interface Chain {
  /** Identifies the history and the user. */
  source: string;
  events: readonly Event[];
  /** Cursor of the events that follow. */
  next: number | undefined;
}

type Action = { kind: 'newest' } | { kind: 'keep' } | { kind: 'older'; before: number; page: Page };

interface OlderRead {
  source: string;
  isLoading: boolean;
  error?: ApiError;
}

export function useEventPages<P extends Page>(endpoint: Endpoint<P>): EventPages {
  const { data: newest, error, reload } = useRead<Page>(endpoint);
  const { fetchFresh } = useWrite();
  const source = `${useUserKey()} ${endpoint.path}`;
  const [chain, dispatch] = useReducer(
    (known: Chain | undefined, action: Action) => extend(known, action, newest && { source, ...newest }),
    undefined,
  );
  const [olderRead, setOlderRead] = useState<OlderRead>({ source, isLoading: false });
  const running = useRef<AbortController>(undefined);
  // Keeps the events that new ones push out of the newest page. Only the response is an event, so this cannot be derived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is one event.
  useEffect(() => dispatch({ kind: 'newest' }), [newest]);
  // Requests of a page that is left, or of another user, must not continue.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source is the history and the user.
  useEffect(() => () => running.current?.abort(), [source]);
  const joined = newest && join({ source, ...newest }, chain);
  const current = olderRead.source === source ? olderRead : undefined;

  async function loadOlder(isEnough: (events: readonly Event[]) => boolean = () => true): Promise<void> {
    let before = joined?.next;
    if (before === undefined || current?.isLoading) return;
    const run = new AbortController();
    running.current = run;
    setOlderRead({ source, isLoading: true });
    dispatch({ kind: 'keep' });
    try {
      for (let count = 0; before !== undefined && count < MAX_PAGES_PER_SEARCH; count += 1) {
        const page: Page = await fetchFresh(eventsBefore(endpoint, before), { inline: true });
        if (run.signal.aborted) return;
        dispatch({ kind: 'older', before, page });
        if (isEnough(page.events)) break;
        before = page.nextBefore;
      }
      setOlderRead({ source, isLoading: false });
    } catch (failure) {
      if (run.signal.aborted) return;
      // The sign-in dialog shows a 401. Other errors are of a user who has left.
      const isShown = failure instanceof ApiError && failure.status !== 401;
      setOlderRead({ source, isLoading: false, ...(isShown && { error: failure }) });
    }
  }

  return {
    events: joined?.events,
    error,
    reload,
    hasOlder: joined?.next !== undefined,
    isLoadingOlder: current?.isLoading ?? false,
    olderError: current?.error,
    loadOlder: (isEnough) => void loadOlder(isEnough),
  };
}

type NewestPage = Page & Pick<Chain, 'source'>;

/** Adds a page to the known events. Pages that do not follow them are ignored. */
function extend(known: Chain | undefined, action: Action, newest: NewestPage | undefined): Chain | undefined {
  if (!newest) return known;
  // Without older pages, the newest page is all that is shown.
  if (action.kind === 'newest') return known && join(newest, known);
  // From the first request of an older page, which continues the events that are known now.
  if (action.kind === 'keep') return join(newest, known);
  const { before, page } = action;
  const { source, events, next } = join(newest, known);
  if (next !== before) return known;
  const older = page.events.filter(({ id }) => id < before);
  return { source, events: [...events, ...older], next: page.nextBefore };
}

/**
 * Returns the newest page followed by the known older events. If more events arrived than a page holds, there is a gap: the
 * older events are then left out, and can be read again.
 */
function join({ source, events, nextBefore }: NewestPage, known: Chain | undefined): Chain {
  const newest: Chain = { source, events, next: nextBefore };
  const last = events.at(-1);
  if (!known || known.source !== source || !last || nextBefore === undefined) return newest;
  // Ids are used again after a restore of a backup, so the time is compared too.
  const at = known.events.findIndex(({ id, createdAt }) => id === last.id && createdAt === last.createdAt);
  if (at < 0) return newest;
  return { source, events: [...events, ...known.events.slice(at + 1)], next: known.next };
}
