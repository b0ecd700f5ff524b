// The settings of the Flagdeck binary that serves this page.
import { createStore, useStore } from '@/lib/store';
import type { Settings } from './generated/types';

/** Not cleared at sign-out: the settings belong to the deployment, not to the user. */
const pageSettings = createStore(settingsFromPage());

/** Reads the settings that the binary writes into the page if they affect the first paint. */
function settingsFromPage(): Settings | undefined {
  const text = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="flagdeck:settings"]')?.content;
  return text ? JSON.parse(text) : undefined;
}

/** Undefined until loaded. */
export function useSettings(): Settings | undefined {
  return useStore(pageSettings);
}

export function currentSettings(): Settings | undefined {
  return pageSettings.get();
}

export function storeSettings(next: Settings): void {
  pageSettings.set(next);
}
