import type { ReactNode } from 'react';
import type { Confirmation } from './ConfirmDialog';

interface Removal {
  /** Kind of the removed item, such as 'tag type'. */
  noun: string;
  /** Name of the removed item. */
  name: string;
  /** The rest of a sentence that starts with the name. */
  consequences: ReactNode;
  action: () => Promise<void>;
}

/** Returns the confirmation before an item is removed. */
export function describeRemoval({ noun, name, consequences, action }: Removal): Confirmation {
  return {
    title: `Remove ${noun}`,
    body: (
      <>
        <p className="font-semibold text-text">Are you sure you want to remove this {noun}?</p>
        <p className="mt-2">
          <b className="wrap-anywhere text-text">{name}</b> {consequences}
        </p>
      </>
    ),
    confirmLabel: 'Remove',
    tone: 'danger',
    action,
  };
}
