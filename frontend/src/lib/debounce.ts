export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Runs a waiting call now. */
  flush(): void;
  /** Forgets a waiting call. */
  cancel(): void;
}

/** Runs `action` with the newest arguments after `ms` of quiet. */
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
