// Preference: single-key shortcuts such as `/`. Users of speech input can switch them off (WCAG 2.1.4).
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

const STORAGE_KEY = 'flagdeck:single-keys';

const enabled = createStore(readStored(STORAGE_KEY) !== false);

export function useSingleKeys(): boolean {
  return useStore(enabled);
}

export function setSingleKeys(next: boolean): void {
  writeStored(STORAGE_KEY, next);
  enabled.set(next);
}
