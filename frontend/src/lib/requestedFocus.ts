import { createContext, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react';

/** Asks for the focus on a part of the page that may not be rendered yet. */
export interface FocusRequest {
  /** Name of the part within its `RequestedFocus`, such as `parameter rollout`. */
  readonly part: string;
  /** The element with the focus at the time of the request. */
  readonly from: Element | null;
  readonly end: () => void;
}

/** The request for the parts below; undefined without one. */
export const RequestedFocus = createContext<FocusRequest | undefined>(undefined);

/** Returns the request for the provider of the parts, and a function that requests the focus for one of them. */
export function useFocusRequest(): [request: FocusRequest | undefined, requestFocus: (part: string) => void] {
  const [request, setRequest] = useState<FocusRequest>();
  const requestFocus = (part: string) =>
    setRequest({ part, from: document.activeElement, end: () => setRequest(undefined) });
  return [request, requestFocus];
}

/**
 * Returns a ref for the element of a part. When the focus is requested for the part, its first field gets it: as soon as the
 * element is rendered, and `isReady`. The request ends without effect if the user has moved the focus meanwhile.
 */
export function useRequestedFocus<Target extends HTMLElement>(part: string, isReady = true): RefObject<Target | null> {
  const element = useRef<Target>(null);
  const request = useContext(RequestedFocus);
  // An effect of each render, because the element may be rendered later than the request. A layout effect, so that the
  // next key belongs to the field.
  useLayoutEffect(() => {
    if (request?.part !== part || !isReady || !element.current) return;
    request.end();
    const { activeElement, body } = document;
    const isLost = activeElement === body && !request.from?.isConnected;
    if (activeElement === request.from || isLost) focusFirstField(element.current);
  });
  return element;
}

/** Base UI renders hidden inputs. */
const FIELD = ':is(input:not([type=range], [aria-hidden=true]), select)';

/** Focuses the element if it is a button; otherwise its first field, with the value selected, or its first menu or button. */
export function focusFirstField(element: HTMLElement): void {
  const found = element.matches('button')
    ? element
    : [FIELD, '[aria-haspopup]', 'button']
        .map((selector) => element.querySelector<HTMLElement>(selector))
        .find((match) => match !== null);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
}
