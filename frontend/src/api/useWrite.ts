// Requests of actions: writes, and the reads that they depend on.
import { useCallback, useState } from 'react';
import { useUserSignal } from '@/lib/store';
import { type Endpoint, type RequestOptions, read, type Write } from './client';
import { ApiError, isNotFound } from './error';
import { usePastReason } from './pastView';
import { writeOrAsk } from './questions';
import { pushRequestError } from './requestError';
import { strongTagOf } from './representations';
import { type CachePatch, patchCache, refreshReads } from './useRead';

interface WriteOptions<Body, Data> {
  body?: Body;
  /** Endpoints to read again after the write. */
  refreshes?: readonly Endpoint<unknown>[];
  /** Updates cached data from the response, so that a changed row does not read the whole list again. */
  patches?: (data: Data | undefined) => readonly CachePatch[];
  /** The caller shows the failure in place: the snackbar does not show it. */
  inline?: boolean;
  /** What failed, shown before the error: `shop.basket was not switched`. */
  failureText?: string;
  /** Entity tag of the state that the write is based on. If another state is stored, the write fails with status 412. */
  ifMatch?: RequestOptions['ifMatch'];
  /** Aborts the request. Only for requests that change nothing. */
  signal?: RequestOptions['signal'];
  /** The write applies files: there is no question about files that manage the toggle. */
  appliesFiles?: RequestOptions['appliesFiles'];
}

type FetchOptions = Pick<WriteOptions<void, never>, 'inline'> & Pick<RequestOptions, 'isAction'>;
type NoticeOptions = Pick<WriteOptions<void, never>, 'inline' | 'failureText'>;

/**
 * Sends the requests of the user at the time of the render. After another user has signed in, they are not sent, and those
 * under way fail with an `AbortError`: an action must not continue with the session of the next user, or report to that user.
 */
interface Writer {
  /** Sends a write. Throws an ApiError, which is already in the list of notices, or a `DeclinedError`. */
  send<Body, Data>(call: Write<Body, Data>, options?: WriteOptions<Body, Data>): Promise<Data | undefined>;
  /** Reads the current state that a write depends on, bypassing the cache. Fails like `send`. `isAction` defaults to true. */
  fetchFresh<Data>(endpoint: Endpoint<Data>, options?: FetchOptions): Promise<Data>;
  /**
   * Reads the strong entity tag of an item; undefined if the server has none. Read it before the item itself: a write with
   * this tag is then refused if the item changes after it was read.
   */
  fetchTag(endpoint: Endpoint<object>, options?: FetchOptions): Promise<string | undefined>;
  busy: boolean;
}

export function useWrite(): Writer {
  const [underWay, setUnderWay] = useState(0);
  const user = useUserSignal();
  const pastReason = usePastReason();
  const attempt = useCallback(
    async <Data>(act: () => Promise<Data>, { inline, failureText }: NoticeOptions = {}) => {
      user.throwIfAborted();
      setUnderWay((count) => count + 1);
      try {
        const result = await act();
        user.throwIfAborted();
        return result;
      } catch (failure) {
        user.throwIfAborted();
        // After a 412, the caller reads the changed item and tries again.
        if (failure instanceof ApiError && failure.status !== 412) {
          pushRequestError(failure, { failureText, shownInPlace: inline === true || failure.status === 401 });
        }
        throw failure;
      } finally {
        setUnderWay((count) => count - 1);
      }
    },
    [user],
  );
  const send = useCallback(
    <Body, Data>(call: Write<Body, Data>, options: WriteOptions<Body, Data> = {}) =>
      attempt(async () => {
        // Controls are disabled with this reason. Nothing must depend on each of them.
        if (pastReason !== undefined && call.path.startsWith('api/')) throw refusedInPast(pastReason);
        const { ifMatch, signal, appliesFiles } = options;
        const data = await refreshingIfGone(options, writeOrAsk(call, options.body, { ifMatch, signal, appliesFiles }));
        user.throwIfAborted();
        patchCache(options.patches?.(data));
        refreshReads(options.refreshes ?? []);
        return data;
      }, options),
    [attempt, user, pastReason],
  );
  const fetchFresh = useCallback(
    <Data>(endpoint: Endpoint<Data>, options?: FetchOptions) =>
      attempt(() => read(endpoint, { isAction: true, ...options }), options),
    [attempt],
  );
  const fetchTag = useCallback(
    (endpoint: Endpoint<object>, options?: FetchOptions) => attempt(() => readStrongTag(endpoint), options),
    [attempt],
  );
  return { send, fetchFresh, fetchTag, busy: underWay > 0 };
}

function refusedInPast(message: string): ApiError {
  return new ApiError({ status: 409, hop: 'binary', body: { message } }, '');
}

/** Some servers lack the endpoints of single items. Whether the item exists is seen in its list. */
async function readStrongTag(endpoint: Endpoint<object>): Promise<string | undefined> {
  try {
    return strongTagOf(await read(endpoint, { isAction: true }));
  } catch (failure) {
    if (failure instanceof ApiError && isNotFound(failure)) return undefined;
    throw failure;
  }
}

type Refreshes = Pick<WriteOptions<never, never>, 'refreshes'>;

/** Sends the request. If its item no longer exists, the data on the page is out of date and is read again. */
async function refreshingIfGone<Data>(options: Refreshes, request: Promise<Data>): Promise<Data> {
  try {
    return await request;
  } catch (failure) {
    if (failure instanceof ApiError && isNotFound(failure)) refreshReads(options.refreshes ?? []);
    throw failure;
  }
}
