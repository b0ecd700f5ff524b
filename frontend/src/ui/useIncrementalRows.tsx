// Incremental rendering of long lists with rows of variable height: more rows are rendered while scrolling down.
import { type ReactNode, startTransition, useCallback, useState } from 'react';

/** More rows than a screen shows, and few enough to render without delay. */
const INITIAL_COUNT = 60;

interface IncrementalRows<Row> {
  rendered: readonly Row[];
  /** Element to render directly after the rows. It has the estimated height of the remaining rows. */
  placeholder: ReactNode;
}

/** `minCount` rows are rendered at once, for example up to the row that the URL names. */
export function useIncrementalRows<Row>(rows: readonly Row[], minCount = 0): IncrementalRows<Row> {
  const [grown, setGrown] = useState(INITIAL_COUNT);
  const count = Math.max(grown, minCount);
  const left = Math.max(0, rows.length - count);
  const watch = useCallback(
    (mark: HTMLElement | null) => {
      if (!mark) return;
      const height = (mark.previousElementSibling?.getBoundingClientRect().height ?? 0) / count;
      // The scroll bar shows the length of the whole list, and Back can restore the scroll position.
      mark.style.height = `${left * height}px`;
      const observer = new IntersectionObserver(
        ([entry]) => {
          if (!entry?.isIntersecting) return;
          const missing = 2 * innerHeight - mark.getBoundingClientRect().top;
          startTransition(() => setGrown(count + INITIAL_COUNT + Math.ceil(Math.max(0, missing) / height)));
        },
        { rootMargin: '100% 0px' },
      );
      observer.observe(mark);
      return () => observer.disconnect();
    },
    [count, left],
  );
  return left === 0
    ? { rendered: rows, placeholder: null }
    : { rendered: rows.slice(0, count), placeholder: <div key={count} ref={watch} /> };
}
