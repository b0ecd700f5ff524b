import { useState } from 'react';

interface KeptItem<Item> {
  /** The item when the user last edited it; undefined while it exists, before the first edit, and without unsaved edits. */
  kept: Item | undefined;
  /** Must be called before each edit. */
  keep: () => void;
  discard: () => void;
}

/**
 * Keeps an item that disappears while it is edited, so that unsaved edits stay on its page. `current` is undefined if the
 * item does not exist.
 */
export function useKeptItem<Item extends { name: string }>(
  name: string,
  current: Item | undefined,
  hasUnsavedEdits: boolean,
): KeptItem<Item> {
  const [edited, setEdited] = useState<Item>();
  const isKept = current === undefined && hasUnsavedEdits && edited?.name === name;
  return {
    kept: isKept ? edited : undefined,
    keep: () => {
      if (current !== undefined) setEdited(current);
    },
    discard: () => setEdited(undefined),
  };
}
