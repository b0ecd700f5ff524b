const TICK_MS = 5000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

/** One timer for every relative time on the page; it rests while the tab is hidden or nobody listens. */
export function subscribeClock(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of the last tick: all times on a page agree, and React may read it as often as it likes. */
export function clockNow(): number {
  if (timer === undefined) now = Date.now();
  return now;
}
