import { useCallback, useState } from 'react';
import useSWR, { mutate, type Revalidator, type RevalidatorOptions, unload } from 'swr';
import { authState } from './authState';
import { type Endpoint, read, type Write, write } from './client';
import { ApiError, isUnknown } from './error';
import { pushError } from './errorList';
import { currentOutage } from './outage';

const RETRIES = 3;
const LONGEST_WAIT_MS = 60_000;

interface ReadOptions<Answer> {
  /** Reads again this often, never in a hidden tab; failures wait longer and longer. */
  pollMs?: number;
  /**
   * Tells failures in the snackbar, after these words if there are any. Default: only for polls, since a page shows its
   * own failures in place.
   */
  announce?: boolean | string;
  /** Some servers have no such thing: that is no failure, and they are not asked again. */
  mayBeAbsent?: boolean;
  /** Sees each new answer. */
  onData?: (answer: Answer) => void;
}

interface Read<Answer> {
  data: Answer | undefined;
  /** Undefined also while a sign-in is asked for: the page waits beneath the dialog. */
  error: ApiError | undefined;
  isLoading: boolean;
  reload: () => void;
}

export function useRead<Answer>(endpoint: Endpoint<Answer> | null, options: ReadOptions<Answer> = {}): Read<Answer> {
  const { pollMs, announce = pollMs !== undefined, mayBeAbsent, onData } = options;
  const polls = pollMs !== undefined;
  const {
    data,
    error,
    mutate: reread,
  } = useSWR<Answer, ApiError>(
    endpoint?.path ?? null,
    (path: string) => read<Answer>({ path }, { keepsQuietOn401: polls }),
    {
      ...(polls ? { refreshInterval: pollMs } : {}),
      dedupingInterval: polls ? Math.min(pollMs, 2000) : 2000,
      focusThrottleInterval: 30_000,
      ...(onData && { onSuccess: onData }),
      onError: (failure) => {
        if (mayBeAbsent && isUnknown(failure)) return;
        const text = typeof announce === 'string' ? `${announce}: ${failure.listed}` : failure.listed;
        pushError(text, { quiet: announce === false || isTold() });
      },
      onErrorRetry: retry(pollMs, mayBeAbsent),
    },
  );
  const shown = error?.status === 401 ? undefined : error;
  const reload = useCallback(() => void reread(), [reread]);
  return { data, error: shown, isLoading: endpoint !== null && data === undefined && shown === undefined, reload };
}

/** Several reads of one kind as one; at once complete where nothing is to be read. */
export function useReadAll<Answer>(endpoints: readonly Endpoint<Answer>[]): Omit<Read<readonly Answer[]>, 'isLoading'> {
  const paths = endpoints.map(({ path }) => path);
  const all = useGathered(paths.length > 0 ? paths : null, () =>
    Promise.all(paths.map((path) => read<Answer>({ path }))),
  );
  return paths.length > 0 ? all : { ...all, data: NOTHING };
}

/** What takes several calls. The key holds their paths: `refreshReads` of any of them gathers anew. */
export function useGathered<Data>(
  key: readonly string[] | null,
  gather: () => Promise<Data>,
): Omit<Read<Data>, 'isLoading'> {
  const {
    data,
    error,
    mutate: reread,
  } = useSWR<Data, ApiError>(key, gather, {
    focusThrottleInterval: 30_000,
    onError: (failure) => pushError(failure.listed, { quiet: true }),
    onErrorRetry: retry(undefined),
  });
  const reload = useCallback(() => void reread(), [reread]);
  return { data, error: error?.status === 401 ? undefined : error, reload };
}

/** Nobody has to be told by the snackbar as well what the page says already. */
const isTold = () => authState.get() !== null || currentOutage() !== undefined;

const NOTHING: readonly never[] = [];

/** What may heal is tried again: a poll for ever, because its own interval stops after a failure; else a few times. */
function retry(pollMs: number | undefined, mayBeAbsent = false) {
  return (error: ApiError, _key: string, _config: unknown, again: Revalidator, { retryCount }: RevalidatorOptions) => {
    const mayHeal = error.status === 0 || error.status >= 500;
    if (mayBeAbsent && isUnknown(error)) return;
    const tries = retryCount ?? 1;
    if (pollMs === undefined && (!mayHeal || tries > RETRIES)) return;
    const wait = Math.min((pollMs ?? 1000) * 2 ** (tries - 1), LONGEST_WAIT_MS);
    setTimeout(() => {
      // In a hidden tab nothing is read; showing it again reads anew.
      if (!document.hidden) void again({ retryCount: tries, dedupe: true });
    }, wait);
  };
}

/** A change to what is cached of one endpoint. */
export interface CachePatch {
  path: string;
  change: (data: unknown) => unknown;
}

export function patch<Answer>(endpoint: Endpoint<Answer>, change: (data: Answer) => Answer): CachePatch {
  return {
    path: endpoint.path,
    change: (data) => (data === undefined ? undefined : change(data as Answer)),
  };
}

interface WriteOptions<Body, Answer> {
  body?: Body;
  /** What the write makes out of date. */
  refreshes?: readonly Endpoint<unknown>[];
  /** What the answer already tells about cached data, so that no list is read again for one row. */
  patches?: (answer: Answer | undefined) => readonly CachePatch[];
  /** The caller shows the failure in place. */
  inline?: boolean;
}

type LookOptions<Answer> = Pick<WriteOptions<void, never>, 'inline'> & {
  patches?: (answer: Answer) => readonly CachePatch[];
};

interface Writer {
  /** Throws ApiError, which is in the global error list by then. */
  run<Body, Answer>(call: Write<Body, Answer>, options?: WriteOptions<Body, Answer>): Promise<Answer | undefined>;
  /** Reads what a write depends on as it is now, past all caches. Fails like `run`. */
  look<Answer>(endpoint: Endpoint<Answer>, options?: LookOptions<Answer>): Promise<Answer>;
  busy: boolean;
}

export function useWrite(): Writer {
  const [underWay, setUnderWay] = useState(0);
  const attempt = useCallback(async <Answer>(act: () => Promise<Answer>, inline: boolean | undefined) => {
    setUnderWay((count) => count + 1);
    try {
      return await act();
    } catch (failure) {
      if (failure instanceof ApiError) {
        pushError(failure.listed, { quiet: inline === true || failure.status === 401 || isTold() });
      }
      throw failure;
    } finally {
      setUnderWay((count) => count - 1);
    }
  }, []);
  const run = useCallback(
    <Body, Answer>(call: Write<Body, Answer>, options: WriteOptions<Body, Answer> = {}) =>
      attempt(async () => {
        const refresh = () => {
          for (const { path } of options.refreshes ?? []) void mutate(path);
        };
        const answer = await write(call, options.body).catch((failure: unknown) => {
          // Somebody else was faster: what is on screen is out of date.
          if (failure instanceof ApiError && isUnknown(failure)) refresh();
          throw failure;
        });
        patchCache(options.patches?.(answer));
        refresh();
        return answer;
      }, options.inline),
    [attempt],
  );
  const look = useCallback(
    <Answer>(endpoint: Endpoint<Answer>, options: LookOptions<Answer> = {}) =>
      attempt(async () => {
        const answer = await read(endpoint);
        patchCache(options.patches?.(answer));
        return answer;
      }, options.inline),
    [attempt],
  );
  return { run, look, busy: underWay > 0 };
}

/** Changes what is cached; also without a write of this hook, such as once for many. */
export function patchCache(patches: readonly CachePatch[] = []): void {
  for (const { path, change } of patches) void mutate(path, change, { revalidate: false });
}

/** Reads again, also where several are read as one. */
export function refreshReads(endpoints: readonly Endpoint<unknown>[]): void {
  const paths = new Set<unknown>(endpoints.map(({ path }) => path));
  void mutate((key) => paths.has(key) || (Array.isArray(key) && key.some((path) => paths.has(path))));
}

/** Forgets everything that was read, for another user or none; what is on screen then is read anew. */
export function forgetAllData(options: { rereads: boolean }): void {
  unload({ revalidate: options.rereads });
}

/** Reads again what is on screen, keeping it there meanwhile. */
export function refreshAllData(): Promise<unknown> {
  return mutate(() => true);
}
