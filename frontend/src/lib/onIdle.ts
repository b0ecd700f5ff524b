/** Runs work that nobody waits for, once the browser has nothing better to do. */
export function onIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
}
