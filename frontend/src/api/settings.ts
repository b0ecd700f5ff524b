// What the binary that serves this page was told.
import { createStore, useStore } from '@/lib/store';
import type { Settings } from './generated/types';

/** Outlives what is forgotten at a sign-out: which deployment this is does not depend on who looks. */
const known = createStore(settingsFromPage());

/** The binary does so where it has something to show from the first moment on. */
function settingsFromPage(): Settings | undefined {
  const text = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="flagdeck:settings"]')?.content;
  return text ? JSON.parse(text) : undefined;
}

/** Undefined until known. */
export function useSettings(): Settings | undefined {
  return useStore(known);
}

export function currentSettings(): Settings | undefined {
  return known.get();
}

export function storeSettings(settings: Settings): void {
  known.set(settings);
}
