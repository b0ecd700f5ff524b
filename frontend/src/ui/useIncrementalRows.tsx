// Incremental rendering of long lists with rows of variable height: more rows are rendered while scrolling down.
import { type ReactNode, startTransition, useLayoutEffect, useRef, useState } from 'react';

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
  return left === 0
    ? { rendered: rows, placeholder: null }
    : { rendered: rows.slice(0, count), placeholder: <Placeholder count={count} left={left} onGrow={setGrown} /> };
}

interface PlaceholderProps {
  /** Number of rendered rows. */
  count: number;
  /** Number of rows that are not rendered. */
  left: number;
  /** Called with the number of rows to render. */
  onGrow: (count: number) => void;
}

function Placeholder({ count, left, onGrow }: PlaceholderProps) {
  const element = useRef<HTMLDivElement>(null);
  // A layout effect, because the height of the rendered rows is known only in the document, and Back restores the scroll
  // position before the browser paints.
  useLayoutEffect(() => {
    const mark = element.current;
    if (!mark) return;
    const height = (mark.previousElementSibling?.getBoundingClientRect().height ?? 0) / count;
    // The scroll bar shows the length of the whole list.
    mark.style.height = `${left * height}px`;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        const missing = 2 * innerHeight - mark.getBoundingClientRect().top;
        startTransition(() => onGrow(count + INITIAL_COUNT + Math.ceil(Math.max(0, missing) / height)));
      },
      { rootMargin: '100% 0px' },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [count, left, onGrow]);
  // Rows that replace a part of it must not move the scroll position: it must not be the anchor of the browser.
  return <div ref={element} className="[overflow-anchor:none]" />;
}
