/** What a page needs comes first, its data included: nothing is fetched ahead before this. */
const QUIET_MS = 2000;

/** Runs work that nobody waits for, once the page has settled and the browser has nothing better to do. */
export function onIdle(work: () => void): void {
  setTimeout(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 5000 });
    else work();
  }, QUIET_MS);
}
