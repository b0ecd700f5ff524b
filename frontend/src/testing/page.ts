// The browser's page for tests of stateful modules: time, visibility and the console's global state.
import { act, cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { authState } from '@/api/authState';
import { clearUserData } from '@/api/useRead';
import { basePath } from '@/lib/urls';

/** Lets time pass, and renders the result. */
export async function advance(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

/** Renders the results of all responses that were sent. */
export async function settle(): Promise<void> {
  await advance(0);
}

/** Renders the results of all responses that were sent, and dialogs that open with the next frame. */
export async function settlePage(): Promise<void> {
  await settle();
  await advance(20);
}

/** Hides or shows the tab. */
export function setHidden(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(hidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Whether the browser asks before the window is closed. */
export function asksBeforeClose(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

/** Removes components and all data of the user after each test of the file. */
export function cleanPageAfterEach(): void {
  afterEach(() => {
    cleanup();
    authState.set(null);
    clearUserData({ rereads: false });
    vi.restoreAllMocks();
  });
}

/** Runs `wait` with real timers, for code that loads on demand and for messages of the browser. Polls need fake timers. */
export async function withRealTimers<Result>(wait: () => Promise<Result>): Promise<Result> {
  vi.useRealTimers();
  try {
    return await wait();
  } finally {
    vi.useFakeTimers();
  }
}

/** Tells this tab that another one has signed in or out, and renders the result. */
export async function changeSessionInOtherTab(): Promise<void> {
  await withRealTimers(async () => {
    const [sender, listener] = [0, 1].map(() => new BroadcastChannel(`${basePath}:session`));
    const message = crypto.randomUUID();
    const arrived = new Promise<void>((resolve) => {
      listener?.addEventListener('message', ({ data }) => data === message && resolve());
    });
    sender?.postMessage(message);
    await act(() => arrived);
    sender?.close();
    listener?.close();
  });
  await settle();
}
