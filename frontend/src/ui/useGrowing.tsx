// Long lists whose rows have heights of their own: those near the window are drawn, the others once somebody comes near.
import { type ReactNode, startTransition, useCallback, useState } from 'react';

/** At once: more than fit on a screen, and few enough to be there without a wait. */
const FIRST = 60;

interface Growing<Row> {
  drawn: readonly Row[];
  /** Stands right after what holds the rows that are drawn, and is as high as the others may be. */
  rest: ReactNode;
}

/** `least`: as many are needed at once, such as up to the one that the address names. */
export function useGrowing<Row>(rows: readonly Row[], least = 0): Growing<Row> {
  const [grown, setGrown] = useState(FIRST);
  const count = Math.max(grown, least);
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
          startTransition(() => setGrown(count + FIRST + Math.ceil(Math.max(0, missing) / height)));
        },
        { rootMargin: '100% 0px' },
      );
      observer.observe(mark);
      return () => observer.disconnect();
    },
    [count, left],
  );
  return left === 0
    ? { drawn: rows, rest: null }
    : { drawn: rows.slice(0, count), rest: <div key={count} ref={watch} /> };
}
