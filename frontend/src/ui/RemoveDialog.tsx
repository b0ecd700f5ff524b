import type { ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog';

interface Props {
  open: boolean;
  /** Kind of the removed item, such as 'tag type'. */
  noun: string;
  /** Name of the removed item; undefined before the first opening. */
  name: string | undefined;
  /** The consequences, as the rest of a sentence that starts with the name. */
  children: ReactNode;
  /** An error that it throws is shown in the dialog. */
  onRemove: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation before an item is removed. */
export function RemoveDialog({ open, noun, name, children, onRemove, onClose }: Props) {
  return (
    <ConfirmDialog
      open={open}
      title={`Remove ${noun}`}
      body={
        <>
          <p className="font-semibold text-text">Are you sure you want to remove this {noun}?</p>
          <p className="mt-2">
            <b className="wrap-anywhere text-text">{name}</b> {children}
          </p>
        </>
      }
      confirmLabel="Remove"
      tone="danger"
      onConfirm={onRemove}
      onClose={onClose}
    />
  );
}
