import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { entryIdOf } from '@/layout/palette/entryIdOf';
import { findPageHeading } from '@/lib/findPageHeading';
import { getPagePosition, restoreRowFocus, setCurrentEntry, trackPagePosition } from '@/lib/pagePositions';
import { addRecentId } from '@/lib/recentIds';
import { useTitle } from './useTitle';

interface RouteEffectsProps {
  /** The parts of the document title, from the item to the product. */
  title: readonly string[];
  /** Identifies the page. All tabs of an item share it, so that changing tabs keeps the focus. */
  place: string;
}

/** Does for a client-side navigation what the browser does for a page load: title, history, scroll position and focus. */
export function RouteEffects({ title, place }: RouteEffectsProps) {
  const { pathname, key } = useLocation();
  const returns = useNavigationType() === 'POP';
  const last = useRef({ pathname, place });
  // The scroll position and the focus of the document are outside React.
  useEffect(trackPagePosition, []);
  // The list of recent pages is shared with other tabs, so it is stored outside React.
  useEffect(() => addRecentId(entryIdOf(pathname)), [pathname]);
  // Runs before the browser reports a scroll of the shorter page, which must not be recorded for the previous page.
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { pathname, place };
    const left = returns ? getPagePosition(key) : undefined;
    setCurrentEntry(key, before.pathname === pathname && !returns);
    if (before.pathname !== pathname) window.scrollTo(0, left?.y ?? 0);
    // A page that loads late must not take the focus from a dialog that was opened meanwhile.
    if (before.place === place || document.querySelector('[role=dialog][data-open]')) return;
    restoreRowFocus(left ?? { y: 0 }, () => findFirstFocus()?.focus({ preventScroll: true }));
  }, [pathname, key, place, returns]);
  return <title>{useTitle(title)}</title>;
}

/** The first field of a page that exists to fill in a form, or the heading of other pages. */
function findFirstFocus(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main [data-first-focus]') ?? findPageHeading();
}
