// Cache of response bodies with their entity tags, for conditional requests: an unchanged response is a 304.
//
// It is in the memory of the page. The browser's HTTP cache is not used, because it writes to the disk of a machine that
// may be shared. A reload therefore reads everything again.

export interface Representation {
  tag: string;
  body: object;
}

/** Bodies are weak references: they live as long as the page uses them. */
const representations = new Map<string, { tag: string; body: WeakRef<object> }>();

/** Removes the entries of bodies that are no longer used. */
const collected = new FinalizationRegistry<string>((path) => {
  if (representations.get(path)?.body.deref() === undefined) representations.delete(path);
});

export function cachedRepresentation(path: string): Representation | undefined {
  const known = representations.get(path);
  const body = known?.body.deref();
  return known && body && { tag: known.tag, body };
}

/** The tag of each body, also after the path has another representation. */
const entityTags = new WeakMap<object, string>();

/**
 * Returns the strong entity tag that a response body was received with. Weak ones, such as those of Unleash, never match
 * `If-Match` (RFC 9110, section 13.1.1).
 */
export function strongTagOf(body: object): string | undefined {
  const tag = entityTags.get(body);
  return tag?.startsWith('"') ? tag : undefined;
}

/** Returns whether the body was received with an entity tag. */
export function hasTag(body: unknown): boolean {
  return typeof body === 'object' && body !== null && entityTags.has(body);
}

/** Notes the entity tag of a body that did not come from a read: the response to a write, or an equal state of the page. */
export function noteTag(tag: string | null | undefined, body: unknown): void {
  if (typeof tag === 'string' && typeof body === 'object' && body !== null) entityTags.set(body, tag);
}

export function storeRepresentation(path: string, tag: string | null, body: unknown): void {
  noteTag(tag, body);
  if (tag !== null && typeof body === 'object' && body !== null) {
    collected.register(body, path);
    representations.set(path, { tag, body: new WeakRef(body) });
  } else {
    representations.delete(path);
  }
}

export function clearRepresentations(): void {
  representations.clear();
}
