// The property, the old and the new value of a diff.
import type { Diff, PathStep } from '@/api/generated/types';

/** Values are wrapped in objects, because every value is possible, including undefined. */
export interface DiffSides {
  path: readonly PathStep[];
  before?: { value: unknown };
  after?: { value: unknown };
}

export function toSides(diff: Diff): DiffSides {
  switch (diff.kind) {
    case 'N':
      return { path: diff.path, after: { value: diff.rhs } };
    case 'D':
      return { path: diff.path, before: { value: diff.lhs } };
    case 'E':
      return { path: diff.path, before: { value: diff.lhs }, after: { value: diff.rhs } };
    case 'A': {
      const path = [...diff.path, diff.index];
      return diff.item.kind === 'N'
        ? { path, after: { value: diff.item.rhs } }
        : { path, before: { value: diff.item.lhs } };
    }
  }
}

/** Formats a path such as `strategies › 2 › name`, with indexes from 1. */
export function formatPath(path: readonly PathStep[]): string {
  return path.map((step) => (typeof step === 'number' ? step + 1 : step)).join(' › ') || 'everything';
}
