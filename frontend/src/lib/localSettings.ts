import { readStored, writeStored } from './storage';
import { basePath } from './urls';

/** Returns the storage key. It includes the path, so that two consoles on one host keep separate settings. */
function keyOf(group: string): string {
  return `${basePath}:settings:${group}`;
}

/** Reads the stored settings of a group. Missing fields and fields of the wrong type get their default. */
export function readSettings<T extends object>(group: string, defaults: T): T {
  return withDefaults(readStored(keyOf(group)), defaults);
}

export function writeSettings(group: string, settings: object): void {
  writeStored(keyOf(group), settings);
}

export function withDefaults<T extends object>(stored: unknown, defaults: T): T {
  if (typeof stored !== 'object' || stored === null) return defaults;
  const fits = Object.entries(stored).filter(
    ([field, value]) => field in defaults && typeof value === typeof defaults[field as keyof T],
  );
  return { ...defaults, ...Object.fromEntries(fits) };
}
