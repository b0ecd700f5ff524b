import { createStore, useStore } from '@/lib/store';

const ERROR_MS = 10_000;
const INFO_MS = 1000;

export interface Notice {
  id: number;
  kind: 'error' | 'info';
  text: string;
  /** How long it is shown. */
  ms: number;
  /** Recorded, but already on the page where it happened: the snackbar must not say it again. */
  quiet: boolean;
}

/** Newest first. */
const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

export function pushError(text: string, options: { quiet?: boolean } = {}): void {
  push({ kind: 'error', text, ms: ERROR_MS, quiet: options.quiet ?? false });
}

export function pushInfo(text: string, ms = INFO_MS): void {
  push({ kind: 'info', text, ms, quiet: false });
}

function push(notice: Omit<Notice, 'id'>): void {
  const listed = notices.get();
  const known = listed.find(({ text }) => text === notice.text);
  if (known && !known.quiet) return;
  lastId += 1;
  notices.set([{ ...notice, id: lastId }, ...listed.filter((other) => other !== known)]);
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

export function useNewestNotice(): Notice | undefined {
  return useStore(notices).find(({ quiet }) => !quiet);
}
