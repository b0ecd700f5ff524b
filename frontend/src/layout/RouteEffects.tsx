import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { pageHeading } from '@/lib/pageHeading';
import { arriveAt, focusRow, placeOf, watchPlace } from '@/lib/pageMemory';
import { useTitle } from './useTitle';

interface RouteEffectsProps {
  /** From the item to the product. */
  title: readonly string[];
  /** What the page is about: the tabs of one thing share it, and changing tabs must not take the focus away. */
  place: string;
}

/** Stands beside a page, within what waits for its code, and does what a browser does when a page is loaded. */
export function RouteEffects({ title, place }: RouteEffectsProps) {
  const { pathname, key } = useLocation();
  const returns = useNavigationType() === 'POP';
  const last = useRef({ pathname, place });
  // The document around React: where it is scrolled to and what has its focus, also by means that React does not see.
  useEffect(watchPlace, []);
  // Before the browser tells that a shorter page scrolled: that must not be taken for the place on the last one.
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { pathname, place };
    const left = returns ? placeOf(key) : undefined;
    arriveAt(key, before.pathname === pathname && !returns);
    if (before.pathname !== pathname) window.scrollTo(0, left?.y ?? 0);
    // A page whose code came late must not take the focus out of a dialog that was opened meanwhile.
    if (before.place === place || document.querySelector('[role=dialog][data-open]')) return;
    focusRow(left ?? { y: 0 }, () => pageHeading()?.focus({ preventScroll: true }));
  }, [pathname, key, place, returns]);
  return <title>{useTitle(title)}</title>;
}
