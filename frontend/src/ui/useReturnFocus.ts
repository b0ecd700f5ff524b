import { useCallback, useRef } from 'react';
import { type FocusOrigin, findPageHeading, findReturnTarget, getFocusOrigin } from '@/lib/restoreFocus';

/** Returns props of a Base UI popup. When it closes, the focus returns to the element that had it before. */
export function useReturnFocus() {
  const opened = useRef<FocusOrigin>(undefined);
  // React calls it when it adds the popup to the page, before the focus moves into the popup.
  const ref = useCallback((popup: HTMLElement | null) => {
    if (popup) opened.current = getFocusOrigin();
  }, []);
  const finalFocus = () => (opened.current ? findReturnTarget(opened.current) : findPageHeading());
  return { ref, finalFocus };
}
