// What the binary that serves this page was told.
import { createStore, useStore } from '@/lib/store';
import { settings } from './endpoints';
import type { Settings } from './generated/types';
import { useRead } from './hooks';

/** Outlives what is forgotten at a sign-out: which deployment this is does not depend on who looks. */
const known = createStore(writtenIntoPage());

/** The binary does so where it has something to show from the first moment on. */
function writtenIntoPage(): Settings | undefined {
  const text = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="flagdeck:settings"]')?.content;
  return text ? JSON.parse(text) : undefined;
}

/** Undefined until known. */
export function useSettings(): Settings | undefined {
  return useStore(known);
}

export function knownSettings(): Settings | undefined {
  return known.get();
}

/** For the frame, which reads them anew whenever somebody comes back: another binary may answer here by then. */
export function useFreshSettings(): Settings | undefined {
  useRead(settings, { onData: known.set });
  return useSettings();
}
