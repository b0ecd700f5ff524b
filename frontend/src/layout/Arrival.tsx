import { useEffect, useRef } from 'react';
import { pageHeading } from '@/lib/pageHeading';

interface ArrivalProps {
  title: string;
  /** The address: a new one starts at its top. */
  pathname: string;
  /** What the page is about: the tabs of one thing share it, and changing tabs must not take the focus away. */
  place: string;
}

/** Stands beside a page, within what waits for its code, and does what a browser does when a page is loaded. */
export function Arrival({ title, pathname, place }: ArrivalProps) {
  const last = useRef({ pathname, place });
  // The document around React: its scroll position and its focus.
  useEffect(() => {
    const before = last.current;
    last.current = { pathname, place };
    if (before.pathname !== pathname) window.scrollTo(0, 0);
    if (before.place === place) return;
    pageHeading()?.focus({ preventScroll: true });
  }, [pathname, place]);
  return <title>{title}</title>;
}
