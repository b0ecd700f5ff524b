interface Options {
  /** Maximum number of concurrent actions. */
  limit: number;
  /** Once true, no further item is started; running actions finish. */
  isStopped: () => boolean;
}

/** Runs `act` for each item in order, and resolves with the items that were not started. `act` must not reject. */
export async function forEachConcurrent<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  { limit, isStopped }: Options,
): Promise<T[]> {
  const waiting = items.values();
  const work = async () => {
    while (!isStopped()) {
      const { value, done } = waiting.next();
      if (done) return;
      await act(value);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return [...waiting];
}
