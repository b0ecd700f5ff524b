// Applies the results of a bulk action to the store of toggles.
import type { Toggle } from '@/api/generated/types';
import { addToggle, batchWrites, patchToggle, removeToggle } from '@/api/toggles';

/** The written fields, a revived toggle, or the removal, by name. */
export type BulkPatches = ReadonlyMap<string, Partial<Toggle> | { revived: Toggle } | 'removed'>;

export function applyBulkPatches(patches: BulkPatches): void {
  batchWrites(() => {
    for (const [name, patch] of patches) {
      if (patch === 'removed') removeToggle(name);
      else if ('revived' in patch) addToggle(patch.revived);
      else patchToggle(name, patch);
    }
  });
}
