import type { KeyboardEvent } from 'react';

/** Returns whether a key closes the list of a select, and not the fields. Its options may be elsewhere in the document. */
export function isInOptions({ target, currentTarget }: KeyboardEvent): boolean {
  return target instanceof HTMLOptionElement || !currentTarget.contains(target as Node);
}
