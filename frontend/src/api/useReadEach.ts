import { eachBounded } from '@/lib/eachBounded';
import { createStore, useStore } from '@/lib/store';
import { type Endpoint, read } from './client';
import { ApiError } from './error';
import { useCombinedRead } from './hooks';
import { pushError } from './notices';

/** What a read came to: its answer, or why there is none. */
export type Outcome<Answer> = Answer | ApiError;

/** As many calls as leave the browser some for what else a page needs. */
const READS_AT_ONCE = 4;

/** Number of finished reads, by the paths that are read together: all components that share them show the progress. */
const progress = createStore<ReadonlyMap<string, number>>(new Map());

/** Many reads, a few at a time: one that fails keeps nobody from the others. `done` of them are through. */
export function useReadEach<Answer>(endpoints: readonly Endpoint<Answer>[] | undefined) {
  const paths = endpoints?.map(({ path }) => path) ?? [];
  // Not the key of the same paths read as one: those fail together.
  const key = endpoints ? ['each', ...paths] : null;
  const id = JSON.stringify(paths);
  const done = useStore(progress).get(id) ?? 0;
  const setDone = (count: number) => progress.set(new Map(progress.get()).set(id, count));
  const { data, reload } = useCombinedRead(key, () => readEach<Answer>(paths, setDone));
  return { outcomes: data, done, reload };
}

async function readEach<Answer>(paths: readonly string[], reportProgress: (done: number) => void) {
  const outcomes = new Map<string, Outcome<Answer>>();
  let abortedBy: unknown;
  const readOne = async (path: string) => {
    try {
      outcomes.set(path, await read<Answer>({ path }));
    } catch (failure) {
      // Not signed in is no matter of one call: all of them are made again then.
      if (!(failure instanceof ApiError) || failure.status === 401) abortedBy = failure;
      else outcomes.set(path, failure);
    }
    reportProgress(outcomes.size);
  };
  reportProgress(0);
  await eachBounded(paths, readOne, { limit: READS_AT_ONCE, stopped: () => abortedBy !== undefined });
  if (abortedBy !== undefined) throw abortedBy;
  const all = paths.flatMap((path) => outcomes.get(path) ?? []);
  for (const outcome of all) if (outcome instanceof ApiError) pushError(outcome.noticeText, { quiet: true });
  return all;
}
