import { useEffect, useEffectEvent } from 'react';
import { confirmLeave, hasConfirmedUnload, type LeaveGuard, leaveGuards } from './leaveGuard';
import { useStore } from './store';

export function useHasUnsavedWork(): boolean {
  return useStore(leaveGuards).length > 0;
}

/** Makes the browser ask before the window is closed or reloaded, until the returned function is called. */
export function guardClose(): () => void {
  const onUnload = (event: BeforeUnloadEvent) => {
    if (!hasConfirmedUnload()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);
  return () => window.removeEventListener('beforeunload', onUnload);
}

/** Makes the browser ask before the window is closed or reloaded. */
export function useCloseGuard(isActive: boolean): void {
  // An effect, because `beforeunload` is a window event.
  useEffect(() => (isActive ? guardClose() : undefined), [isActive]);
}

/** Asks before unsaved work is lost by a link, the back button or closing the window. */
export function useLeaveGuard(hasUnsavedWork: boolean, { save, saveDisabledReason, discard }: LeaveGuard = {}): void {
  useCloseGuard(hasUnsavedWork);
  const onSave = useEffectEvent(async () => (await save?.()) ?? false);
  const onDiscard = useEffectEvent(() => discard?.());
  const canSave = save !== undefined;
  // An effect, because navigation is only observable through browser events.
  useEffect(() => {
    if (!hasUnsavedWork) return;
    return addGuard({
      save: canSave ? () => onSave() : undefined,
      saveDisabledReason,
      discard: () => onDiscard(),
    });
  }, [hasUnsavedWork, canSave, saveDisabledReason]);
}

/** Registers a guard. All guards share the listeners, so that several forms on one page ask once. */
function addGuard(guard: LeaveGuard): () => void {
  if (leaveGuards.get().length === 0) {
    // In the capture phase: React's handler would already have navigated.
    document.addEventListener('click', onClick, { capture: true });
    // The Navigation API is missing in browsers before 2026: there, the back button does not ask.
    globalThis.navigation?.addEventListener('navigate', onNavigate);
  }
  leaveGuards.set([...leaveGuards.get(), guard]);
  return () => {
    leaveGuards.set(leaveGuards.get().filter((other) => other !== guard));
    if (leaveGuards.get().length > 0) return;
    document.removeEventListener('click', onClick, { capture: true });
    globalThis.navigation?.removeEventListener('navigate', onNavigate);
  };
}

/** The link or history entry that the user may follow without being asked again. */
let confirmed: HTMLAnchorElement | string | undefined;

function onClick(event: MouseEvent): void {
  const link = findLink(event);
  if (!link || link === confirmed) return;
  event.preventDefault();
  event.stopPropagation();
  const { href } = link;
  void leave(link, () => follow(link, href));
}

/** Follows a link. During a save, the page may have removed it, or may use its element for another link. */
function follow(link: HTMLAnchorElement, href: string): void {
  if (link.isConnected && link.href === href) link.click();
  else location.assign(href);
}

function onNavigate(event: NavigateEvent): void {
  const { key, url, sameDocument } = event.destination;
  // After a cancelled traversal, the next one can be cancelled only if the user has interacted with the page meanwhile.
  if (event.navigationType !== 'traverse' || !event.cancelable || key === confirmed) return;
  // Before another document is loaded, the browser asks.
  if (!sameDocument || !isOtherPage(new URL(url))) return;
  event.preventDefault();
  void leave(key, () => traverse(key));
}

/** Opens a history entry. The promise of the browser rejects if another navigation starts first. */
function traverse(key: string): Promise<unknown> | undefined {
  return globalThis.navigation?.traverseTo(key).finished?.catch(() => undefined);
}

/** Repeats a cancelled navigation if the user confirms. */
async function leave(target: HTMLAnchorElement | string, navigate: () => unknown): Promise<void> {
  if (!(await confirmLeave())) return;
  confirmed = target;
  try {
    await navigate();
  } finally {
    confirmed = undefined;
  }
}

/** Returns the clicked link to another page of the console. */
function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  // Links out of the console unload the page, so the browser asks.
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.relList.contains('external')) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  return link.origin === location.origin && isOtherPage(link) ? link : undefined;
}

/** Returns whether the URL differs from the current page. Tabs may differ only by their query. */
function isOtherPage({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname + search !== location.pathname + location.search;
}
