// Saves an edit of an item that may have changed since it was opened: changes to other fields are kept, and a
// conflicting change is reported before it is overwritten.

import { useState } from 'react';
import type { Stored } from '@/api/resource';
import { mergeEdit } from '@/lib/mergeEdit';
import { retryIfChanged } from './retryIfChanged';
import { SaveCancelledError } from './SaveCancelledError';

export interface SaveOptions<Thing> {
  /** Reads the stored item; undefined if it was removed. */
  fetchCurrent: () => Promise<Stored<Thing> | undefined>;
  /** Sends the merged item. Fails with 412 if the item no longer has the tag of the stored one. */
  replace: (thing: Thing, stored: Stored<Thing>) => Promise<unknown>;
  /** Names of the fields in messages. */
  labels: { [Field in keyof Thing]?: string };
}

/**
 * Merges `edited`, an edit of `base`, into the stored item and replaces it. If both sides changed the same fields, throws and
 * passes the base of the next attempt to `onConflict`, which then overwrites these fields.
 */
export function saveMerged<Thing extends object>(
  base: Thing,
  edited: Thing,
  { fetchCurrent, replace, labels }: SaveOptions<Thing>,
  onConflict: (nextBase: Thing) => void,
): Promise<void> {
  return retryIfChanged(async () => {
    const stored = await fetchCurrent();
    if (!stored) throw new SaveCancelledError('Not saved: it was removed while you were editing.');
    const current = stored.item;
    const { merged, conflicts } = mergeEdit(base, edited, current);
    if (conflicts.length > 0) {
      onConflict({ ...base, ...Object.fromEntries(conflicts.map((field) => [field, current[field]])) });
      const changes = conflicts.map((field) => `${labels[field] ?? field} to ${formatValue(current[field])}`);
      throw new SaveCancelledError(
        `Not saved: someone else changed ${changes.join(' and ')} while you were editing. Save again to overwrite.`,
      );
    }
    await replace(merged, stored);
  });
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}

/** Returns a save function that throws if the same fields were changed meanwhile. A second attempt overwrites them. */
export function useMergedSave<Thing extends object>(options: SaveOptions<Thing>) {
  const [base, setBase] = useState<Thing>();
  return (opened: Thing, edited: Thing): Promise<void> => saveMerged(base ?? opened, edited, options, setBase);
}
