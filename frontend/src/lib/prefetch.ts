/** Delay before prefetching starts, so that a page's own code and data load first. */
const DELAY_MS = 2000;

/** Part of the Network Information API that TypeScript does not declare, and that some browsers lack. */
interface NavigatorConnection {
  connection?: { saveData?: boolean };
}

/** Prefetches something once the page has loaded and the browser is idle, unless the user asked the browser to save data. */
export function prefetch(load: () => void): void {
  setTimeout(() => {
    if ((navigator as NavigatorConnection).connection?.saveData) return;
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 5000 });
    else load();
  }, DELAY_MS);
}
