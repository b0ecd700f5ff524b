// Whether single keys, such as `/`, do something: people who speak to their computer or type by accident switch them off.
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

const STORAGE_KEY = 'flagdeck:single-keys';

const on = createStore(readStored(STORAGE_KEY) !== false);

export function useSingleKeys(): boolean {
  return useStore(on);
}

export function setSingleKeys(next: boolean): void {
  writeStored(STORAGE_KEY, next);
  on.set(next);
}
