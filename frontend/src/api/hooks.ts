import { useCallback, useEffect, useState } from 'react';
// biome-ignore lint/style/noRestrictedImports: The only file that imports SWR.
import useSWR, { mutate, unload } from 'swr';
import { jsonEqual } from '@/lib/json';
import { clearRecentIds } from '@/lib/recentIds';
import { resetUserStores, userSignal, useUserSignal } from '@/lib/store';
import { authState } from './authState';
import { type Endpoint, type ReadPolicy, type RequestOptions, read, type Write } from './client';
import { ApiError, isNotFound, isTemporary } from './error';
import { clearNotices, pushError } from './notices';
import { currentOutage } from './outage';
import { usePastReason } from './pastView';
import { isPolled, noteReadOutcome, startPolling } from './poller';
import { writeOrAsk } from './questions';
import { clearRepresentations, hasTag, strongTagOf } from './representations';

const RETRIES = 3;
const FIRST_RETRY_MS = 1000;

interface ReadOptions {
  /** Reads again at the interval of the endpoint, never in a hidden tab. */
  polls?: boolean;
  /** The component shows a failure in place or works without the data: the snackbar does not show it. */
  handlesFailure?: boolean;
}

interface Read<Data> {
  data: Data | undefined;
  /** Undefined while the sign-in dialog is open: the page stays as it is beneath the dialog. */
  error: ApiError | undefined;
  isLoading: boolean;
  reload: () => void;
}

/** Reads an endpoint. Components share one request, so everything that depends on its outcome is in `fetchShared`. */
export function useRead<Data>(endpoint: Endpoint<Data> | null, options: ReadOptions = {}): Read<Data> {
  const { polls = false, handlesFailure = false } = options;
  const path = endpoint?.path ?? null;
  const pollMs = endpoint?.policy?.pollMs;
  const {
    data,
    error,
    mutate: reread,
  } = useSWR<Data, ApiError>(path, (key: string) => fetchShared({ ...endpoint, path: key }), {
    focusThrottleInterval: 30_000,
    compare: isSameResponse,
    shouldRetryOnError: false,
  });
  // Timers are outside React. One poller serves all components that read the path.
  useEffect(() => {
    if (!polls || path === null || pollMs === undefined) return undefined;
    return startPolling(path, pollMs, () => mutate(path));
  }, [polls, path, pollMs]);
  // The component that starts the request and the component that handles its failure may differ.
  useEffect(() => (handlesFailure && path !== null ? registerFailureHandler(path) : undefined), [handlesFailure, path]);
  const shown = error?.status === 401 ? undefined : error;
  const reload = useCallback(() => void reread(), [reread]);
  return { data, error: shown, isLoading: endpoint !== null && data === undefined && shown === undefined, reload };
}

/** Number of mounted components that handle the failure of a path themselves. */
const handledFailures = new Map<string, number>();

function registerFailureHandler(path: string): () => void {
  handledFailures.set(path, (handledFailures.get(path) ?? 0) + 1);
  return () => {
    const others = (handledFailures.get(path) ?? 0) - 1;
    if (others > 0) handledFailures.set(path, others);
    else handledFailures.delete(path);
  };
}

/**
 * Keeps the data of the page if a response is equal. A body with an entity tag replaces it: the cache of tags refers to it
 * weakly, and without it the next read could not be conditional.
 */
function isSameResponse(before: unknown, after: unknown): boolean {
  return Object.is(before, after) || (!hasTag(after) && jsonEqual(before, after));
}

/** Fetches on behalf of all components that read the endpoint, and applies the endpoint's policy to the outcome. */
function fetchShared<Data>({ path, policy = {} }: Endpoint<Data>): Promise<Data> {
  return withRetries(path, policy, async (user) => {
    try {
      const data = await read<Data>({ path, policy }, { skipSignInPrompt: policy.pollMs !== undefined });
      noteReadOutcome(path, 'read');
      return data;
    } catch (failure) {
      if (user.aborted) throw failure;
      const isAbsent = failure instanceof ApiError && isPermittedAbsence(failure, policy);
      noteReadOutcome(path, isAbsent ? 'absent' : 'failed');
      if (failure instanceof ApiError && !isAbsent) notifyFailure(failure, path, policy);
      throw failure;
    }
  });
}

function isPermittedAbsence(failure: ApiError, { mayBeAbsent = false }: ReadPolicy<never>): boolean {
  return mayBeAbsent && isNotFound(failure);
}

function notifyFailure(failure: ApiError, path: string, { announce = false }: ReadPolicy<unknown>): void {
  const text = typeof announce === 'string' ? `${announce}: ${failure.noticeText}` : failure.noticeText;
  pushError(text, {
    shownInPlace: announce === false || (handledFailures.get(path) ?? 0) > 0 || isShownElsewhere(),
    cause: outageCause(failure),
  });
}

/** An SWR key: the path of an endpoint, or the paths of several that are read together. */
type Key = string | readonly string[];

/** Number of the retry that is due or under way, by serialised key. */
const retries = new Map<string, number>();
/** Cancels the retry that is due, by serialised key. */
const retryCancellations = new Map<string, () => void>();

/**
 * Runs the fetcher of a key. After a failure, schedules a retry of the key if the policy provides for one. The next user
 * sees nothing of a failure that comes after the change: it is neither reported nor retried.
 */
async function withRetries<Data>(
  key: Key,
  policy: ReadPolicy<never>,
  fetchData: (user: AbortSignal) => Promise<Data>,
): Promise<Data> {
  const user = userSignal();
  const id = JSON.stringify(key);
  const retry = (retries.get(id) ?? 0) + 1;
  cancelRetry(id);
  try {
    return await fetchData(user);
  } catch (failure) {
    if (failure instanceof ApiError && !user.aborted && canRetry(key, failure, policy, retry))
      scheduleRetry(key, retry);
    throw failure;
  }
}

function cancelRetry(id: string): void {
  retryCancellations.get(id)?.();
  retryCancellations.delete(id);
  retries.delete(id);
}

/** Retries temporary failures a few times. The poller repeats a polled endpoint. */
function canRetry(key: Key, failure: ApiError, policy: ReadPolicy<never>, retry: number): boolean {
  if (isPermittedAbsence(failure, policy) || (typeof key === 'string' && isPolled(key))) return false;
  return isTemporary(failure) && retry <= RETRIES;
}

function scheduleRetry(key: Key, retry: number): void {
  const id = JSON.stringify(key);
  cancelRetry(id);
  const run = () => {
    // A hidden tab reads nothing; the retry waits until it is shown.
    if (document.hidden) {
      document.addEventListener('visibilitychange', run, { once: true });
      return;
    }
    retries.set(id, retry);
    void mutate(key);
  };
  const timer = setTimeout(run, FIRST_RETRY_MS * 2 ** (retry - 1));
  retryCancellations.set(id, () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', run);
  });
}

/** Reads several endpoints of one kind as one. An empty list is complete at once. */
export function useReadAll<Data>(endpoints: readonly Endpoint<Data>[]): Omit<Read<readonly Data[]>, 'isLoading'> {
  const paths = endpoints.map(({ path }) => path);
  const all = useCombinedRead(paths.length > 0 ? paths : null, () =>
    Promise.all(endpoints.map((endpoint) => read(endpoint))),
  );
  return paths.length > 0 ? all : { ...all, data: EMPTY };
}

/** Reads data that takes several requests. The key contains their paths: `refreshReads` of any of them repeats all. */
export function useCombinedRead<Data>(
  key: readonly string[] | null,
  load: () => Promise<Data>,
): Omit<Read<Data>, 'isLoading'> {
  const {
    data,
    error,
    mutate: reread,
  } = useSWR<Data, ApiError>(
    key,
    (paths: Key) => withRetries(paths, {}, (user) => load().catch((failure: unknown) => recordError(failure, user))),
    {
      focusThrottleInterval: 30_000,
      shouldRetryOnError: false,
    },
  );
  const reload = useCallback(() => void reread(), [reread]);
  return { data, error: error?.status === 401 ? undefined : error, reload };
}

function recordError(failure: unknown, user: AbortSignal): never {
  if (failure instanceof ApiError && !user.aborted) {
    pushError(failure.noticeText, { shownInPlace: true, cause: outageCause(failure) });
  }
  throw failure;
}

/** All reads fail in an outage, often with texts of their own, such as those of a timeout and of an open circuit breaker. */
function outageCause(failure: ApiError): string | undefined {
  return failure.isOutage ? currentOutage()?.reason : undefined;
}

/** True while the sign-in dialog or the outage banner shows the failure. */
const isShownElsewhere = () => authState.get() !== null || currentOutage() !== undefined;

const EMPTY: readonly never[] = [];

/** Changes cached data. */
export type CachePatch = () => void;

export function patch<Data>(endpoint: Endpoint<Data>, change: (data: Data) => Data): CachePatch {
  return () =>
    void mutate<Data>(endpoint.path, (data) => (data === undefined ? undefined : change(data)), { revalidate: false });
}

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

type FetchOptions = Pick<WriteOptions<void, never>, 'inline'>;
type NoticeOptions = Pick<WriteOptions<void, never>, 'inline' | 'failureText'>;

/**
 * Sends the requests of the user at the time of the render. After another user has signed in, they are not sent, and those
 * under way fail with an `AbortError`: an action must not continue with the session of the next user, or report to that user.
 */
interface Writer {
  /** Sends a write. Throws an ApiError, which is already in the list of notices, or a `DeclinedError`. */
  send<Body, Data>(call: Write<Body, Data>, options?: WriteOptions<Body, Data>): Promise<Data | undefined>;
  /** Reads the current state that a write depends on, bypassing the cache. Fails like `send`. */
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
          pushError(failureText ? `${failureText}: ${failure.noticeText}` : failure.noticeText, {
            shownInPlace: inline === true || failure.status === 401 || isShownElsewhere(),
          });
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
        refresh(options);
        return data;
      }, options),
    [attempt, user, pastReason],
  );
  const fetchFresh = useCallback(
    <Data>(endpoint: Endpoint<Data>, options?: FetchOptions) => attempt(() => read(endpoint), options),
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
    return strongTagOf(await read(endpoint));
  } catch (failure) {
    if (failure instanceof ApiError && isNotFound(failure)) return undefined;
    throw failure;
  }
}

type Refreshes = Pick<WriteOptions<never, never>, 'refreshes'>;

function refresh({ refreshes = [] }: Refreshes): void {
  for (const { path } of refreshes) void mutate(path);
}

/** Sends the request. If its item no longer exists, the data on the page is out of date and is read again. */
async function refreshingIfGone<Data>(options: Refreshes, request: Promise<Data>): Promise<Data> {
  try {
    return await request;
  } catch (failure) {
    if (failure instanceof ApiError && isNotFound(failure)) refresh(options);
    throw failure;
  }
}

/** Changes cached data without a write of this hook, for example once for many writes. */
export function patchCache(patches: readonly CachePatch[] = []): void {
  for (const apply of patches) apply();
}

/** Reads endpoints again, including combined reads that contain one of them. */
export function refreshReads(endpoints: readonly Endpoint<unknown>[]): void {
  const paths = new Set<unknown>(endpoints.map(({ path }) => path));
  void mutate((key) => paths.has(key) || (Array.isArray(key) && key.some((path) => paths.has(path))));
}

/** Clears all data of a user when another one signs in: cached responses, notices, recent names, stores, polled metrics. */
export function clearUserData(options: { rereads: boolean }): void {
  clearRepresentations();
  // Before the next user's reads start: stores ignore responses to earlier ones.
  resetUserStores();
  unload({ revalidate: options.rereads });
  clearNotices();
  clearRecentIds();
}

/** Reads everything on screen again. The current data stays visible meanwhile. */
export function refreshAllData(): Promise<unknown> {
  return mutate(() => true);
}
