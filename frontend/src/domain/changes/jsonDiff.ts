// Differences of JSON values, in the diff format of the server's events.
import type { Diff, PathStep } from '@/api/generated/types';
import { isJsonObject, type JsonObject } from '@/lib/json';

export function jsonDiff(before: unknown, after: unknown, path: readonly PathStep[] = []): Diff[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDiff(before, after, path);
  if (isJsonObject(before) && isJsonObject(after)) return objectDiff(before, after, path);
  return [{ kind: 'E', path: [...path], lhs: before, rhs: after }];
}

function objectDiff(before: JsonObject, after: JsonObject, path: readonly PathStep[]): Diff[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): Diff[] => {
    const here = [...path, key];
    // JSON has no undefined: such a key equals an absent key.
    if (before[key] === undefined && after[key] === undefined) return [];
    if (before[key] === undefined) return [{ kind: 'N', path: here, rhs: after[key] }];
    if (after[key] === undefined) return [{ kind: 'D', path: here, lhs: before[key] }];
    return jsonDiff(before[key], after[key], here);
  });
}

function listDiff(before: readonly unknown[], after: readonly unknown[], path: readonly PathStep[]): Diff[] {
  const shared = Math.min(before.length, after.length);
  const changed = before.slice(0, shared).flatMap((item, index) => jsonDiff(item, after[index], [...path, index]));
  const position = (offset: number) => ({ path: [...path], index: shared + offset });
  const removed = before
    .slice(shared)
    .map((lhs, at): Diff => ({ kind: 'A', ...position(at), item: { kind: 'D', lhs } }));
  const added = after.slice(shared).map((rhs, at): Diff => ({ kind: 'A', ...position(at), item: { kind: 'N', rhs } }));
  return [...changed, ...removed, ...added];
}
