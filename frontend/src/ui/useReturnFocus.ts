import { useCallback, useRef } from 'react';
import { findPageHeading } from '@/lib/restoreFocus';

/**
 * Returns props of a Base UI popup. When it closes, the focus returns to the element that had it before, or moves to the
 * page heading if that element was removed or the URL has changed.
 */
export function useReturnFocus() {
  const opened = useRef<{ pathname: string; focused: Element | null }>(undefined);
  // React calls it when it adds the popup to the page, before the focus moves into the popup.
  const ref = useCallback((popup: HTMLElement | null) => {
    if (popup) opened.current = { pathname: location.pathname, focused: document.activeElement };
  }, []);
  const finalFocus = () => {
    const { pathname, focused } = opened.current ?? {};
    const canReturn = focused?.isConnected && focused !== document.body && pathname === location.pathname;
    return canReturn && focused instanceof HTMLElement ? focused : findPageHeading();
  };
  return { ref, finalFocus };
}
