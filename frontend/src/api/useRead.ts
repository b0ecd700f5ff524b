// Reads of endpoints, and their cached responses.
import { useCallback, useEffect } from 'react';
// biome-ignore lint/style/noRestrictedImports: The only file that imports SWR.
import useSWR, { mutate, unload } from 'swr';
import { jsonEqual } from '@/lib/json';
import { clearRecentIds } from '@/lib/recentIds';
import { resetUserStores, userSignal } from '@/lib/store';
import { type Endpoint, type ReadPolicy, read } from './client';
import { ApiError, isNotFound, isTemporary } from './error';
import { clearNotices } from './notices';
import { currentOutage } from './outage';
import { isPolled, noteReadOutcome, startPolling } from './poller';
import { pushRequestError } from './requestError';
import { clearRepresentations, hasTag } from './representations';

const RETRIES = 3;
const FIRST_RETRY_MS = 1000;

interface ReadOptions {
  /** Reads again at the interval of the endpoint, never in a hidden tab. */
  polls?: boolean;
}

interface Read<Data> {
  data: Data | undefined;
  /** Undefined while the sign-in dialog is open: the page stays as it is beneath the dialog. */
  error: ApiError | undefined;
  isLoading: boolean;
  reload: () => void;
}

/**
 * Reads an endpoint. The component shows a failure in place, or works without the data. Components share one request, so
 * everything that depends on its outcome is in `fetchShared`.
 */
export function useRead<Data>(endpoint: Endpoint<Data> | null, { polls = false }: ReadOptions = {}): Read<Data> {
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
  const shown = error?.status === 401 ? undefined : error;
  const reload = useCallback(() => void reread(), [reread]);
  return { data, error: shown, isLoading: endpoint !== null && data === undefined && shown === undefined, reload };
}

/** Like `useRead`, for data that the component needs but whose failure it does not show: the snackbar shows it. */
export function useAnnouncedRead<Data>(endpoint: Endpoint<Data> | null, options?: ReadOptions): Read<Data> {
  const path = endpoint?.path;
  // An effect, because the request may have been started by another component.
  useEffect(() => {
    if (path === undefined) return undefined;
    const component = { path };
    announcing.add(component);
    return () => void announcing.delete(component);
  }, [path]);
  return useRead(endpoint, options);
}

/** The mounted components of `useAnnouncedRead`. */
const announcing = new Set<{ path: string }>();

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

function notifyFailure(failure: ApiError, path: string, { failureText }: ReadPolicy<unknown>): void {
  const isAnnounced = [...announcing].some((component) => component.path === path);
  pushRequestError(failure, { failureText, shownInPlace: !isAnnounced, cause: outageCause(failure) });
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
    pushRequestError(failure, { shownInPlace: true, cause: outageCause(failure) });
  }
  throw failure;
}

/** All reads fail in an outage, often with texts of their own, such as those of a timeout and of an open circuit breaker. */
function outageCause(failure: ApiError): string | undefined {
  return failure.isOutage ? currentOutage()?.reason : undefined;
}

const EMPTY: readonly never[] = [];

/** Changes cached data. */
export type CachePatch = () => void;

export function patch<Data>(endpoint: Endpoint<Data>, change: (data: Data) => Data): CachePatch {
  return () =>
    void mutate<Data>(endpoint.path, (data) => (data === undefined ? undefined : change(data)), { revalidate: false });
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
