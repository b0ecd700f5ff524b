// The global list of notices: errors of failed requests, confirmations, and offers to undo. The snackbar shows the newest.
import { CHUNK_ERROR_CAUSE } from '@/lib/chunkError';
import { onUnshownFailure } from '@/lib/prompt';
import { createStore, createUserStore, userSignal, useStore } from '@/lib/store';
import { ApiError } from './error';

const ERROR_MS = 10_000;
/** Default duration of an info notice, followed by the time that it takes to fade out. */
const INFO_MS = 2750;
const FADE_MS = 250;
const UNDO_MS = 10_000;
const UNDONE_MS = 2500;

export interface Notice {
  id: number;
  kind: 'error' | 'info';
  text: string;
  /** Time until it begins to fade out. */
  durationMs: number;
  /** Duration of the fade-out. */
  fadeMs?: number;
  /** Recorded, but already visible on the page: the snackbar does not repeat it. */
  shownInPlace: boolean;
  /** Reverts the action that the text describes. */
  undo?: () => Promise<unknown>;
}

/** A notice that stays listed after the snackbar has hidden it. */
export interface LoggedNotice {
  id: number;
  kind: Notice['kind'];
  text: string;
  /** How often it occurred. */
  count: number;
  /** RFC 3339 time of the last occurrence. */
  at: string;
}

const MAX_LOGGED = 50;

/** Newest first. A text is listed once, so that a poll that fails again and again does not hide other notices. */
const log = createUserStore<readonly LoggedNotice[]>([]);

/** Newest first. */
const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

interface ErrorOptions {
  shownInPlace?: boolean;
  /** Text of the cause, if failures of several requests have the same one. They are listed as one problem with this text. */
  cause?: string | undefined;
}

export function pushError(text: string, { shownInPlace = false, cause }: ErrorOptions = {}): void {
  push({ kind: 'error', text, durationMs: ERROR_MS, shownInPlace }, cause);
}

/** Shows why an action failed. Failed requests are already listed, and a cancelled action needs no message. */
export function pushFailure(failure: unknown): void {
  if (failure instanceof ApiError || (failure instanceof DOMException && failure.name === 'AbortError')) return;
  pushError(failure instanceof Error ? failure.message : String(failure));
}

/** Shows why an action failed whose form or dialog has left the page: it would have shown the failure. */
export function pushUnshownFailure(failure: Error): void {
  pushError(failure instanceof ApiError ? failure.noticeText : failure.message);
}

onUnshownFailure(pushUnshownFailure);

/** Reports that a JavaScript chunk could not be loaded. */
export function notifyChunkError(): void {
  pushError(
    `This part of the console could not be loaded. ${CHUNK_ERROR_CAUSE} Save your changes, then reload the page.`,
  );
}

export function pushInfo(text: string, ms?: number): void {
  const time = ms === undefined ? { durationMs: INFO_MS, fadeMs: FADE_MS } : { durationMs: ms };
  push({ kind: 'info', text, ...time, shownInPlace: false });
}

/**
 * Shows a confirmation with an Undo button. Only the newest action can be undone, because later actions may depend on
 * earlier ones. A shorter notice that follows is shown first; this one then has its full duration.
 */
export function offerUndo(text: string, undo: () => Promise<unknown>): void {
  notices.set(notices.get().filter((notice) => notice.undo === undefined));
  push({ kind: 'info', text, durationMs: UNDO_MS, shownInPlace: false, undo });
}

/** Runs the undo of a notice. A failure is reported, and the notice stays for another attempt. */
export async function undoNotice({ id, undo }: Notice): Promise<void> {
  const user = userSignal();
  try {
    // False means that the failure was already reported.
    if ((await undo?.()) === false || user.aborted) return;
    dismiss(id);
    pushInfo('Undone.', UNDONE_MS);
  } catch (failure) {
    if (!user.aborted) pushFailure(failure);
  }
}

function push(notice: Omit<Notice, 'id'>, listedText = notice.text): void {
  record({ ...notice, text: listedText });
  const current = notices.get();
  const known = current.find(({ text }) => text === notice.text);
  if (known && !known.shownInPlace) return;
  lastId += 1;
  notices.set([{ ...notice, id: lastId }, ...current.filter((other) => other !== known)]);
}

function record({ kind, text }: Pick<Notice, 'kind' | 'text'>): void {
  const known = log.get().find((entry) => entry.text === text);
  lastId += 1;
  const entry = {
    id: known?.id ?? lastId,
    kind,
    text,
    count: (known?.count ?? 0) + 1,
    at: new Date().toISOString(),
  };
  log.set([entry, ...log.get().filter((other) => other !== known)].slice(0, MAX_LOGGED));
}

export function useNoticeLog(): readonly LoggedNotice[] {
  return useStore(log);
}

export function removeLogged(id: number): void {
  log.set(log.get().filter((entry) => entry.id !== id));
}

export function clearLog(): void {
  log.set([]);
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

/** Removes all notices when the user changes: an Undo button would otherwise act as the next user. */
export function clearNotices(): void {
  notices.set([]);
}

export function useNewestNotice(): Notice | undefined {
  return useStore(notices).find(({ shownInPlace }) => !shownInPlace);
}
