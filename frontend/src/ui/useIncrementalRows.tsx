// Long lists whose rows have heights of their own: those near the window are drawn, the others once somebody comes near.
import { type ReactNode, startTransition, useCallback, useState } from 'react';

/** At once: more than fit on a screen, and few enough to be there without a wait. */
const INITIAL_COUNT = 60;

interface IncrementalRows<Row> {
  rendered: readonly Row[];
  /** Stands right after what holds the rows that are drawn, and is as high as the others may be. */
  placeholder: ReactNode;
}

/** `least`: as many are needed at once, such as up to the one that the address names. */
export function useIncrementalRows<Row>(rows: readonly Row[], minCount = 0): IncrementalRows<Row> {
  const [grown, setGrown] = useState(INITIAL_COUNT);
  const count = Math.max(grown, minCount);
  const left = Math.max(0, rows.length - count);
  const watch = useCallback(
    (mark: HTMLElement | null) => {
      if (!mark) return;
      const height = (mark.previousElementSibling?.getBoundingClientRect().height ?? 0) / count;
      // So that the scroll bar tells how long the list is, and the way back finds its place.
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
