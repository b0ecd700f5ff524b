import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { findPageHeading } from '@/lib/findPageHeading';
import { getPagePosition, restoreRowFocus, setCurrentEntry, trackPagePosition } from '@/lib/pagePositions';
import { useTitle } from './useTitle';

interface ArrivalProps {
  /** From the item to the product. */
  title: readonly string[];
  /** What the page is about: the tabs of one thing share it, and changing tabs must not take the focus away. */
  place: string;
}

/** Stands beside a page, within what waits for its code, and does what a browser does when a page is loaded. */
export function Arrival({ title, place }: ArrivalProps) {
  const { pathname, key } = useLocation();
  const returns = useNavigationType() === 'POP';
  const last = useRef({ pathname, place });
  // The document around React: where it is scrolled to and what has its focus, also by means that React does not see.
  useEffect(trackPagePosition, []);
  // Before the browser tells that a shorter page scrolled: that must not be taken for the place on the last one.
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { pathname, place };
    const left = returns ? getPagePosition(key) : undefined;
    setCurrentEntry(key, before.pathname === pathname && !returns);
    if (before.pathname !== pathname) window.scrollTo(0, left?.y ?? 0);
    // A page whose code came late must not take the focus out of a dialog that was opened meanwhile.
    if (before.place === place || document.querySelector('[role=dialog][data-open]')) return;
    restoreRowFocus(left ?? { y: 0 }, () => findPageHeading()?.focus({ preventScroll: true }));
  }, [pathname, key, place, returns]);
  return <title>{useTitle(title)}</title>;
}
