// The way back from a value to what it was before, by what servers tell of the change.
import type { Diff, PathStep } from '@/api/generated/types';

export function undoDiffs(after: unknown, diffs: readonly Diff[]): unknown {
  const before: unknown = structuredClone(after);
  for (const diff of diffs) undo(before, diff);
  return before;
}

/** A change at a place that is not there, as of data that was cut down, says nothing. */
function undo(root: unknown, diff: Diff): void {
  const place = diff.kind === 'A' ? [...diff.path, diff.index] : diff.path;
  const change = diff.kind === 'A' ? diff.item : diff;
  const last = place.at(-1);
  const holder = place.slice(0, -1).reduce<unknown>(partOf, root);
  if (last === undefined || !isHolder(holder)) return;
  if (change.kind !== 'N') holder[last] = change.lhs;
  // Lists change at their end alone, in any order.
  else if (Array.isArray(holder)) holder.length = Math.min(holder.length, Number(last));
  else delete holder[last];
}

function isHolder(value: unknown): value is Record<PathStep, unknown> {
  return typeof value === 'object' && value !== null;
}

function partOf(value: unknown, step: PathStep): unknown {
  return isHolder(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
