import { createStore, useStore } from '@/lib/store';
import { ApiError } from './error';

const ERROR_MS = 10_000;
/** Where a message says nothing else: then it begins to go, and is gone a moment later. */
const INFO_MS = 2750;
const FADE_MS = 250;
const UNDO_MS = 10_000;
const UNDONE_MS = 2500;

export interface Notice {
  id: number;
  kind: 'error' | 'info';
  text: string;
  /** How long it is shown. */
  durationMs: number;
  /** How long it takes to go. */
  fadeMs?: number;
  /** Recorded, but already on the page where it happened: the snackbar must not say it again. */
  shownInPlace: boolean;
  /** Takes back what the text says. */
  undo?: () => Promise<unknown>;
}

/** Newest first. */
const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

export function pushError(text: string, options: { quiet?: boolean } = {}): void {
  push({ kind: 'error', text, durationMs: ERROR_MS, shownInPlace: options.quiet ?? false });
}

/** A part of the console was not there when it was asked for: another release may run by now. */
export function notifyChunkError(): void {
  pushError('This part of the console could not be loaded. Reload the page once nothing on it is unsaved.');
}

export function pushInfo(text: string, ms?: number): void {
  const time = ms === undefined ? { durationMs: INFO_MS, fadeMs: FADE_MS } : { durationMs: ms };
  push({ kind: 'info', text, ...time, shownInPlace: false });
}

/**
 * Says what was done and offers to take it back. Only the newest deed can be: what is done later may build on what was
 * done before. A shorter message pushed right after it is shown first; the offer then has its whole time.
 */
export function offerUndo(text: string, undo: () => Promise<unknown>): void {
  notices.set(notices.get().filter((notice) => notice.undo === undefined));
  push({ kind: 'info', text, durationMs: UNDO_MS, shownInPlace: false, undo });
}

/** Takes back what a notice tells. A failure is told, and leaves the offer for another try. */
export async function undoNotice({ id, undo }: Notice): Promise<void> {
  try {
    // Whoever answers false has told the failure.
    if ((await undo?.()) === false) return;
    dismiss(id);
    pushInfo('Undone.', UNDONE_MS);
  } catch (failure) {
    // Those of calls are in the list by then.
    if (!(failure instanceof ApiError)) pushError(failure instanceof Error ? failure.message : String(failure));
  }
}

function push(notice: Omit<Notice, 'id'>): void {
  const listed = notices.get();
  const known = listed.find(({ text }) => text === notice.text);
  if (known && !known.shownInPlace) return;
  lastId += 1;
  notices.set([{ ...notice, id: lastId }, ...listed.filter((other) => other !== known)]);
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

/** For a change of user: an undo offer would act in the name of the next one. */
export function clearNotices(): void {
  notices.set([]);
}

export function useNewestNotice(): Notice | undefined {
  return useStore(notices).find(({ shownInPlace }) => !shownInPlace);
}
