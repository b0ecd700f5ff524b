import { type RefObject, useLayoutEffect } from 'react';

/** When the component is removed while its element has the focus, the focus moves to the fallback, or to the page heading. */
export function useRestoreFocus(
  element: RefObject<HTMLElement | null>,
  fallback?: RefObject<HTMLElement | null> | (() => HTMLElement | null),
): void {
  // A layout effect, because its cleanup runs before the element is removed, which loses the focus.
  useLayoutEffect(() => {
    const current = element.current;
    if (!current) return;
    return () =>
      restoreFocus(current, () => (typeof fallback === 'function' ? fallback() : (fallback?.current ?? null)));
  }, [element, fallback]);
}

/** Call it before an element is removed. If the element has the focus, it moves to the fallback, or to the page heading. */
export function restoreFocus(removed: HTMLElement, findFallback: () => HTMLElement | null): void {
  if (!removed.contains(document.activeElement)) return;
  // After the update, which may also remove or disable the fallback, or move the focus itself.
  queueMicrotask(() => {
    for (const find of [findFallback, findPageHeading]) {
      if (document.activeElement === document.body) find()?.focus({ preventScroll: true });
    }
  });
}

/** The URL and the element with the focus when an overlay opened. */
export interface FocusOrigin {
  pathname: string;
  focused: Element | null;
}

export function getFocusOrigin(): FocusOrigin {
  return { pathname: location.pathname, focused: document.activeElement };
}

/** Returns the element that had the focus, or the page heading if that element was removed or the URL has changed. */
export function findReturnTarget({ pathname, focused }: FocusOrigin): HTMLElement | null {
  const canReturn = focused?.isConnected && focused !== document.body && pathname === location.pathname;
  return canReturn && focused instanceof HTMLElement ? focused : findPageHeading();
}

/** Returns the page's heading, which receives focus when the focused element is removed. */
export function findPageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main');
}
