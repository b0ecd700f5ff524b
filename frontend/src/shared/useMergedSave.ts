// Saves the edits of a form about one item.
import { useState } from 'react';
import { type SaveOptions, saveMerged } from './saveMerged';

interface Options<Thing> extends SaveOptions<Thing> {
  /** The item when editing began. */
  opened: Thing;
}

/** Returns a save function that throws if the same fields were changed meanwhile. A second attempt overwrites them. */
export function useMergedSave<Thing extends object>({ opened, ...options }: Options<Thing>) {
  const [base, setBase] = useState(opened);
  return (edited: Thing): Promise<void> => saveMerged(base, edited, options, setBase);
}
