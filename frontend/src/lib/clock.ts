const TICK_MS = 5000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Subscribes to the clock: one timer for all relative times, paused while the tab is hidden or has no subscribers. */
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

/** Returns the time of the last tick, so that all times on a page agree and a render reads a stable value. */
export function clockNow(): number {
  // Without subscribers there are no ticks.
  if (timer === undefined && Math.abs(Date.now() - now) >= TICK_MS) now = Date.now();
  return now;
}
