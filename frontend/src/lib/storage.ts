// Reads and writes local storage without throwing: it can be full, forbidden or contain invalid values.

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
    // The preference then lasts until the page is closed.
  }
}
