export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Runs a pending call now. */
  flush(): void;
  /** Discards a pending call. */
  cancel(): void;
}

/** Returns a function that runs `action` with the latest arguments, `ms` after the last call. */
export function debounce<A extends unknown[]>(action: (...args: A) => void, ms: number): Debounced<A> {
  let waiting: { timer: ReturnType<typeof setTimeout>; args: A } | undefined;
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = undefined;
  };
  const flush = () => {
    const args = waiting?.args;
    cancel();
    if (args) action(...args);
  };
  const call = (...args: A) => {
    cancel();
    waiting = { timer: setTimeout(flush, ms), args };
  };
  return Object.assign(call, { flush, cancel });
}
