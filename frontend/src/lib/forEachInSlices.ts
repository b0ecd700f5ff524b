/** Duration of a slice in ms. The browser can paint and handle input between slices. */
const SLICE_MS = 12;

/** Visits the items in slices, so that a long list does not block the page. Ends early if `visit` returns `stop`. */
export async function forEachInSlices<T>(items: Iterable<T>, visit: (item: T) => 'stop' | undefined): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const item of items) {
    if (performance.now() > end) {
      await new Promise((resume) => setTimeout(resume));
      end = performance.now() + SLICE_MS;
    }
    if (visit(item) === 'stop') return;
  }
}
