// Restores the previous value from the diffs of an event.
import type { Diff, PathStep } from '@/api/generated/types';

export function undoDiffs(after: unknown, diffs: readonly Diff[]): unknown {
  const before: unknown = structuredClone(after);
  for (const diff of diffs) undo(before, diff);
  return before;
}

/** Reverts one diff. Diffs of missing paths, as in truncated data, are ignored. */
function undo(root: unknown, diff: Diff): void {
  const path = diff.kind === 'A' ? [...diff.path, diff.index] : diff.path;
  const change = diff.kind === 'A' ? diff.item : diff;
  const last = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>(getChild, root);
  if (last === undefined || !isContainer(parent)) return;
  if (change.kind !== 'N') parent[last] = change.lhs;
  // Array diffs only add items at the end, in any order.
  else if (Array.isArray(parent)) parent.length = Math.min(parent.length, Number(last));
  else delete parent[last];
}

function isContainer(value: unknown): value is Record<PathStep, unknown> {
  return typeof value === 'object' && value !== null;
}

function getChild(value: unknown, step: PathStep): unknown {
  return isContainer(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
