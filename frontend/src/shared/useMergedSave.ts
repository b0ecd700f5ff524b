// Saves an edit of an item that may have changed since it was opened: changes to other fields are kept, and a
// conflicting change is reported before it is overwritten.
import { useState } from 'react';
import { mergeEdit } from '@/lib/mergeEdit';
import { SaveCancelledError } from './SaveCancelledError';

interface Options<Thing> {
  /** The item when editing began. */
  opened: Thing;
  /** Reads the stored item; undefined if it was removed. */
  fetchCurrent: () => Promise<Thing | undefined>;
  /** Sends the merged item. */
  replace: (thing: Thing) => Promise<unknown>;
  /** Names of the fields in messages. */
  labels: { [Field in keyof Thing]?: string };
}

/** Returns a save function that throws if the same fields were changed meanwhile. A second attempt overwrites them. */
export function useMergedSave<Thing extends object>({ opened, fetchCurrent, replace, labels }: Options<Thing>) {
  const [base, setBase] = useState(opened);
  return async (edited: Thing): Promise<void> => {
    const current = await fetchCurrent();
    if (!current) throw new SaveCancelledError('Not saved: it was removed while you were editing.');
    const { merged, conflicts } = mergeEdit(base, edited, current);
    if (conflicts.length > 0) {
      setBase({ ...base, ...Object.fromEntries(conflicts.map((field) => [field, current[field]])) });
      const changes = conflicts.map((field) => `${labels[field] ?? field} to ${formatValue(current[field])}`);
      throw new SaveCancelledError(
        `Not saved: someone else changed ${changes.join(' and ')} while you were editing. Save again to overwrite.`,
      );
    }
    await replace(merged);
  };
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}
