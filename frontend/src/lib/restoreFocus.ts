/**
 * Call it before an element is removed, such as in the cleanup of `ref`. If the element has the focus, the focus moves to
 * `fallback`, or to the page heading.
 */
export function restoreFocus(removed: HTMLElement, fallback?: HTMLElement): void {
  if (!removed.contains(document.activeElement)) return;
  // After the update, which may also remove or disable the fallback, or move the focus itself.
  queueMicrotask(() => {
    for (const target of [fallback, findPageHeading()]) {
      if (document.activeElement === document.body) target?.focus({ preventScroll: true });
    }
  });
}

/** Returns the page's heading, which receives focus when the focused element is removed. */
export function findPageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main');
}
