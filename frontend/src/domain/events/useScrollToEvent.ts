import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** Returns the DOM id of an event's row. */
export function eventRowId(id: number): string {
  return `event-${id}`;
}

/** Scrolls to the event that the URL names and focuses it. */
export function useScrollToEvent(id: number | undefined): void {
  const { key } = useLocation();
  // Scrolling needs the rendered rows. The location key repeats it for a link to the current URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with each navigation.
  useEffect(() => {
    const row = id !== undefined && document.getElementById(eventRowId(id));
    if (!row) return;
    row.scrollIntoView({ block: 'nearest' });
    row.querySelector('button')?.focus({ preventScroll: true });
  }, [id, key]);
}
