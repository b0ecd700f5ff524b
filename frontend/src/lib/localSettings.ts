import { readStored, writeStored } from './storage';
import { basePath } from './urls';

/** Two consoles on one host under different paths keep their own settings. */
function keyOf(group: string): string {
  return `${basePath()}:settings:${group}`;
}

/** The stored settings of a group; a field that is absent or of another type than its default takes the default. */
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
