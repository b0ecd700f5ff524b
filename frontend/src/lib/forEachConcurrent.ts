interface Bounds {
  /** How many may be under way at once. */
  limit: number;
  /** True: nothing more is begun; what is under way ends. */
  stopped: () => boolean;
}

/** Does something to each item in order, and resolves with those it did not begin. `act` must not reject. */
export async function forEachConcurrent<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  { limit, stopped }: Bounds,
): Promise<T[]> {
  const waiting = items.values();
  const work = async () => {
    while (!stopped()) {
      const { value, done } = waiting.next();
      if (done) return;
      await act(value);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return [...waiting];
}
