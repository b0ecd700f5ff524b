import { useEffect } from 'react';

const QUESTION = 'Data will be lost if you leave the page, are you sure?';

let guards = 0;

/** Whether the page may be left now: asks if there is work to lose. For code that leads to another page by itself. */
export function mayLeave(): boolean {
  return guards === 0 || confirm(QUESTION);
}

/** Asks before the page is left, by link, by the back button or by closing the window, while there is work to lose. */
export function useLeaveGuard(hasWork: boolean): void {
  // The browser's own events are the only way to hear of someone leaving.
  useEffect(() => {
    if (!hasWork) return;
    guards += 1;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Before React sees the click: the router would already have moved on.
    const onClick = (event: MouseEvent) => {
      if (!leavesPage(event) || mayLeave()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType === 'traverse' && event.cancelable && !mayLeave()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, { capture: true });
    // Absent in browsers before 2026: there the back button does not ask.
    globalThis.navigation?.addEventListener('navigate', onNavigate);
    return () => {
      guards -= 1;
      window.removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, { capture: true });
      globalThis.navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [hasWork]);
}

function leavesPage(event: MouseEvent): boolean {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  // Links out of the console unload it, and then the browser asks.
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.relList.contains('external'))
    return false;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  return link.origin === location.origin && link.pathname !== location.pathname;
}
