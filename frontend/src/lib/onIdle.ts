/** Delay before prefetching starts, so that a page's own code and data load first. */
const DELAY_MS = 2000;

/** Runs low-priority work once the page has loaded and the browser is idle. */
export function onIdle(work: () => void): void {
  setTimeout(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 5000 });
    else work();
  }, DELAY_MS);
}
