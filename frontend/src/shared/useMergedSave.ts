// Saving an edit of a thing that others may have edited since it was opened: what they did to other fields is kept,
// and what they did to the same field is told before it is replaced.
import { useState } from 'react';
import { mergeEdit } from '@/lib/mergeEdit';
import { SaveCancelledError } from './SaveCancelledError';

interface Options<Thing> {
  /** The thing as the editor opened it. */
  opened: Thing;
  /** Reads it as it is now; undefined where it is gone. */
  look: () => Promise<Thing | undefined>;
  /** Sends it. */
  put: (thing: Thing) => Promise<unknown>;
  /** Fields as people call them. */
  labels: { [Field in keyof Thing]?: string };
}

/** The save throws in words what somebody else did to the same fields; when it is tried once more, it replaces that. */
export function useMergedSave<Thing extends object>({ opened, look, put, labels }: Options<Thing>) {
  const [base, setBase] = useState(opened);
  return async (edited: Thing): Promise<void> => {
    const now = await look();
    if (!now) throw new SaveCancelledError('Somebody else removed it meanwhile.');
    const { merged, contested } = mergeEdit(base, edited, now);
    if (contested.length > 0) {
      setBase({ ...base, ...Object.fromEntries(contested.map((field) => [field, now[field]])) });
      const told = contested.map((field) => `${labels[field] ?? field} to ${inWords(now[field])}`);
      throw new SaveCancelledError(
        `Somebody else changed ${told.join(' and ')} meanwhile. Save again to replace it with yours.`,
      );
    }
    await put(merged);
  };
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}
