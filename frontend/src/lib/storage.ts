// Browser storage can be full, forbidden or hold what an older version wrote: none of it may break a page.

export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A preference that is not kept is asked again next time.
  }
}
