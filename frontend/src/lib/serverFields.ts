// Top-level fields that servers maintain themselves: an edit never changes them, and no diff shows them.
import type { Diff } from '@/api/generated/types';

const FIELDS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'lastSeenAt']);

export function isServerField(field: string): boolean {
  return FIELDS.has(field);
}

export function omitServerDiffs(diffs: readonly Diff[]): Diff[] {
  return diffs.filter(({ path: [field] }) => typeof field !== 'string' || !isServerField(field));
}

/** A copy of the object without these fields. */
export function omitServerFields<Thing extends object>(thing: Thing): Partial<Thing> {
  return Object.fromEntries(Object.entries(thing).filter(([field]) => !isServerField(field))) as Partial<Thing>;
}
