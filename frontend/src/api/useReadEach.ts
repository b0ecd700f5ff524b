// Reads many endpoints, a few at a time.
import { forEachConcurrent } from '@/lib/forEachConcurrent';
import { createUserStore, userSignal, useStore } from '@/lib/store';
import { type Endpoint, read } from './client';
import { ApiError } from './error';
import { useCombinedRead } from './useRead';
import { pushError } from './notices';

/** The result of one read: its data, or the error. */
export type ReadOutcome<Data> = Data | ApiError;

/** Leaves some of the browser's connections for the other requests of a page. */
const READS_AT_ONCE = 4;

/** Number of finished reads of running lists, by their paths: all components that read the same list show the same progress. */
const progress = createUserStore<ReadonlyMap<string, number>>(new Map());

/** Reads each endpoint on its own: a failure does not stop the others. `done` is the number of finished reads. */
export function useReadEach<Data>(endpoints: readonly Endpoint<Data>[] | undefined) {
  const paths = endpoints?.map(({ path }) => path) ?? [];
  // Differs from the key of `useReadAll` for the same paths, which fail together.
  const key = endpoints ? ['each', ...paths] : null;
  const id = JSON.stringify(paths);
  const done = useStore(progress).get(id);
  const setDone = (count: number) => progress.set(new Map(progress.get()).set(id, count));
  const endProgress = () => progress.set(new Map([...progress.get()].filter(([running]) => running !== id)));
  const { data, reload } = useCombinedRead(key, () => {
    const user = userSignal();
    return readEach(endpoints ?? [], user, setDone).finally(() => {
      if (!user.aborted) endProgress();
    });
  });
  return { outcomes: data, done: done ?? data?.length ?? 0, reload };
}

async function readEach<Data>(
  endpoints: readonly Endpoint<Data>[],
  user: AbortSignal,
  reportProgress: (done: number) => void,
) {
  const outcomes = new Map<string, ReadOutcome<Data>>();
  let abortedBy: unknown;
  const readOne = async (endpoint: Endpoint<Data>) => {
    const { path } = endpoint;
    try {
      outcomes.set(path, await read(endpoint));
    } catch (failure) {
      // A 401 concerns all reads: they are repeated after the sign-in.
      if (!(failure instanceof ApiError) || failure.status === 401) abortedBy = failure;
      else outcomes.set(path, failure);
    }
    if (!user.aborted) reportProgress(outcomes.size);
  };
  reportProgress(0);
  await forEachConcurrent(endpoints, readOne, {
    limit: READS_AT_ONCE,
    isStopped: () => abortedBy !== undefined || user.aborted,
  });
  user.throwIfAborted();
  if (abortedBy !== undefined) throw abortedBy;
  const all = endpoints.flatMap(({ path }) => outcomes.get(path) ?? []);
  for (const outcome of all) if (outcome instanceof ApiError) pushError(outcome.noticeText, { shownInPlace: true });
  return all;
}
