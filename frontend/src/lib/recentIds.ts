// Recently opened items of the palette, newest first. Stored in this browser, separately for each console on a host.

import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';
import { basePath } from './urls';

const MAX_IDS = 12;
const STORAGE_KEY = `${basePath}:recent`;

const recentIds = createStore(readIds());

// Another tab has opened an item.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === STORAGE_KEY) recentIds.set(readIds());
});

export function useRecentIds(): readonly string[] {
  return useStore(recentIds);
}

function readIds(): readonly string[] {
  const stored = readStored(STORAGE_KEY);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_IDS) : [];
}

/** Clears the list when another user signs in, who may not be allowed to see these names. */
export function clearRecentIds(): void {
  storeIds([]);
}

export function addRecentId(id: string): void {
  storeIds([id, ...recentIds.get().filter((other) => other !== id)].slice(0, MAX_IDS));
}

function storeIds(ids: readonly string[]): void {
  writeStored(STORAGE_KEY, ids);
  recentIds.set(ids);
}
