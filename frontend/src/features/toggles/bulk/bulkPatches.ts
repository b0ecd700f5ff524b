// Applies the results of a bulk action to the cached toggle list.
import type { Toggle } from '@/api/generated/types';

export type BulkPatches = Map<string, Toggle | 'removed'>;

/** Returns the list with the patches applied. New toggles are appended, because the list is sorted when it is shown. */
export function applyBulkPatches(all: readonly Toggle[], patches: BulkPatches): Toggle[] {
  const known = new Set<string>();
  const kept = all.flatMap((toggle) => {
    known.add(toggle.name);
    const current = patches.get(toggle.name) ?? toggle;
    return current === 'removed' ? [] : [current];
  });
  const added = [...patches.values()].filter((patch) => patch !== 'removed' && !known.has(patch.name));
  return [...kept, ...added.filter((patch) => patch !== 'removed')];
}
