// Top-level fields maintained by the server: edits never change them, and diffs do not show them.
import type { Diff } from '@/api/generated/types';

const FIELDS: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'lastSeenAt',
  // Of newer servers: the state in other environments, and references that have their own endpoints.
  'otherEnvironments',
  'strategiesKnown',
  'hasStrategies',
  'dependencies',
  'children',
]);

export function isServerField(field: string): boolean {
  return FIELDS.has(field);
}

export function omitServerDiffs(diffs: readonly Diff[]): Diff[] {
  return diffs.filter(({ path: [field] }) => typeof field !== 'string' || !isServerField(field));
}

/** Returns a copy of the object without the fields maintained by the server. */
export function omitServerFields<Thing extends object>(thing: Thing): Partial<Thing> {
  return Object.fromEntries(Object.entries(thing).filter(([field]) => !isServerField(field))) as Partial<Thing>;
}
