// Where one went last by name, newest first: kept in this browser, for each console on a host.
import { basePath } from './address';
import { readStored, writeStored } from './storage';

const KEPT = 8;

function key(): string {
  return `${basePath()}:recent`;
}

export function recentIds(): readonly string[] {
  const stored = readStored(key());
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT) : [];
}

export function rememberRecent(id: string): void {
  writeStored(key(), [id, ...recentIds().filter((other) => other !== id)].slice(0, KEPT));
}
