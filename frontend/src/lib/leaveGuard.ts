import { useEffect } from 'react';

const QUESTION = 'Data will be lost if you leave the page, are you sure?';

let guards = 0;

/** Whether the page may be left now: asks if there is work to lose. For code that leads to another page by itself. */
export function confirmLeave(): boolean {
  return guards === 0 || confirm(QUESTION);
}

/** The browser asks before the window is closed or reloaded. */
export function useCloseGuard(isActive: boolean): void {
  // `beforeunload` is the only notice that the browser gives.
  useEffect(() => {
    if (!isActive) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [isActive]);
}

/** Asks before the page is left, by link, by the back button or by closing the window, while there is work to lose. */
export function useLeaveGuard(hasWork: boolean): void {
  useCloseGuard(hasWork);
  // The browser's own events are the only way to hear of someone leaving.
  useEffect(() => (hasWork ? addGuard() : undefined), [hasWork]);
}

/** All guards share the listeners: several forms on one page ask once. */
function addGuard(): () => void {
  guards += 1;
  if (guards === 1) {
    // Before React sees the click: the router would already have moved on.
    document.addEventListener('click', onClick, { capture: true });
    // Absent in browsers before 2026: there the back button does not ask.
    globalThis.navigation?.addEventListener('navigate', onNavigate);
  }
  return () => {
    guards -= 1;
    if (guards > 0) return;
    document.removeEventListener('click', onClick, { capture: true });
    globalThis.navigation?.removeEventListener('navigate', onNavigate);
  };
}

function onClick(event: MouseEvent): void {
  if (!leavesPage(event) || confirmLeave()) return;
  event.preventDefault();
  event.stopPropagation();
}

function onNavigate(event: NavigateEvent): void {
  if (event.navigationType !== 'traverse' || !event.cancelable) return;
  if (isOtherPage(new URL(event.destination.url)) && !confirmLeave()) event.preventDefault();
}

function leavesPage(event: MouseEvent): boolean {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  // Links out of the console unload it, and then the browser asks.
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.relList.contains('external'))
    return false;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  return link.origin === location.origin && isOtherPage(link);
}

/** A tab may differ from the current page by its query alone. */
function isOtherPage({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname + search !== location.pathname + location.search;
}
