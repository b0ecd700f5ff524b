import type { KeyboardEvent } from 'react';

/**
 * Returns whether a key closes the list of a select or of a combobox, and not the fields. The options of a select may be elsewhere
 * in the document.
 */
export function isInOptions({ target, currentTarget }: KeyboardEvent): boolean {
  const isInOpenList = target instanceof Element && target.matches('option, [role=combobox][aria-expanded=true]');
  return isInOpenList || !currentTarget.contains(target as Node);
}
