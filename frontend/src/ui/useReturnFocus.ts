import { useCallback, useRef } from 'react';
import { type FocusOrigin, findPageHeading, findReturnTarget, getFocusOrigin } from '@/lib/restoreFocus';

/** Returns props of a Base UI popup. When it closes, the focus returns to the element that had it before. */
export function useReturnFocus() {
  const opened = useRef<FocusOrigin>(undefined);
  const element = useRef<HTMLElement>(null);
  // React calls it when it adds the popup to the page, before the focus moves into the popup.
  const ref = useCallback((popup: HTMLElement | null) => {
    if (popup) opened.current = getFocusOrigin();
    if (popup) element.current = popup;
  }, []);
  const finalFocus = () => {
    const { activeElement, body } = document;
    // The answer of the dialog has moved the focus, for example to a new field.
    const isMoved = activeElement !== body && !element.current?.contains(activeElement);
    if (isMoved && activeElement instanceof HTMLElement) return activeElement;
    return opened.current ? findReturnTarget(opened.current) : findPageHeading();
  };
  return { ref, finalFocus };
}
