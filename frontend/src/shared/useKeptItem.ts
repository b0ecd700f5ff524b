import { useState } from 'react';

interface KeptItem<Item> {
  /** The item when the user last edited; undefined before the first edit. */
  kept: Item | undefined;
  /** Must be called before each edit. */
  keep: () => void;
  discard: () => void;
}

/** Remembers the item that is edited, so that a page can keep unsaved edits after the item has disappeared. */
export function useKeptItem<Item>(current: Item | undefined): KeptItem<Item> {
  const [kept, setKept] = useState<Item>();
  return {
    kept,
    keep: () => {
      if (current !== undefined) setKept(() => current);
    },
    discard: () => setKept(undefined),
  };
}
