// Where one went last by name, newest first: kept in this browser, for each console on a host.

import { readStored, writeStored } from './storage';
import { basePath } from './urls';

const KEPT = 8;

function key(): string {
  return `${basePath()}:recent`;
}

export function getRecentIds(): readonly string[] {
  const stored = readStored(key());
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT) : [];
}

/** For a change of user: the names may be ones that the next user must not see. */
export function clearRecentIds(): void {
  writeStored(key(), []);
}

export function addRecentId(id: string): void {
  writeStored(key(), [id, ...getRecentIds().filter((other) => other !== id)].slice(0, KEPT));
}
