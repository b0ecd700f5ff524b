import { useEffect } from 'react';
import { createStore, useStore } from './store';

const QUESTION = 'Data will be lost if you leave the page, are you sure?';

/** Number of components with unsaved work. */
const guards = createStore(0);

export function useHasUnsavedWork(): boolean {
  return useStore(guards) > 0;
}

/** Returns whether the page may be left; asks if there are unsaved changes. For code that navigates by itself. */
export function confirmLeave(): boolean {
  return guards.get() === 0 || confirm(QUESTION);
}

/** Makes the browser ask before the window is closed or reloaded. */
export function useCloseGuard(isActive: boolean): void {
  // An effect, because `beforeunload` is a window event.
  useEffect(() => {
    if (!isActive) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [isActive]);
}

/** Asks before unsaved changes are lost by a link, the back button or closing the window. */
export function useLeaveGuard(hasUnsavedChanges: boolean): void {
  useCloseGuard(hasUnsavedChanges);
  // An effect, because navigation is only observable through browser events.
  useEffect(() => (hasUnsavedChanges ? addGuard() : undefined), [hasUnsavedChanges]);
}

/** Registers a guard. All guards share the listeners, so that several forms on one page ask once. */
function addGuard(): () => void {
  guards.set(guards.get() + 1);
  if (guards.get() === 1) {
    // In the capture phase: React's handler would already have navigated.
    document.addEventListener('click', onClick, { capture: true });
    // The Navigation API is missing in browsers before 2026: there, the back button does not ask.
    globalThis.navigation?.addEventListener('navigate', onNavigate);
  }
  return () => {
    guards.set(guards.get() - 1);
    if (guards.get() > 0) return;
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
  // Links out of the console unload the page, so the browser asks.
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.relList.contains('external'))
    return false;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  return link.origin === location.origin && isOtherPage(link);
}

/** Returns whether the URL differs from the current page. Tabs may differ only by their query. */
function isOtherPage({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname + search !== location.pathname + location.search;
}
