// The entity tag of the newest body of each path, so that reading it again costs a 304 while nothing changed.
//
// It is kept in the memory of the page, not in the browser's HTTP cache, which is on the disk of a machine that may be
// shared. A reload therefore reads everything again, compressed.

interface Representation {
  tag: string;
  body: object;
}

/** Bodies are held weakly: the data of the page keeps them alive, so that nothing is held twice or for longer. */
const representations = new Map<string, { tag: string; body: WeakRef<object> }>();

export function cachedRepresentation(path: string): Representation | undefined {
  const known = representations.get(path);
  const body = known?.body.deref();
  return known && body && { tag: known.tag, body };
}

export function storeRepresentation(path: string, tag: string | null, body: unknown): void {
  if (tag !== null && typeof body === 'object' && body !== null) {
    representations.set(path, { tag, body: new WeakRef(body) });
  } else {
    representations.delete(path);
  }
}

export function clearRepresentations(): void {
  representations.clear();
}
