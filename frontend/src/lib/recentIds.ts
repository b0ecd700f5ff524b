// Recently opened items of the palette, newest first. Stored in this browser, separately for each console on a host.

import { readStored, writeStored } from './storage';
import { basePath } from './urls';

const MAX_IDS = 8;

function key(): string {
  return `${basePath()}:recent`;
}

export function getRecentIds(): readonly string[] {
  const stored = readStored(key());
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_IDS) : [];
}

/** Clears the list when another user signs in, who may not be allowed to see these names. */
export function clearRecentIds(): void {
  writeStored(key(), []);
}

export function addRecentId(id: string): void {
  writeStored(key(), [id, ...getRecentIds().filter((other) => other !== id)].slice(0, MAX_IDS));
}
