import type { ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog';

interface Props {
  open: boolean;
  /** What kind of thing goes, such as 'tag type'. */
  noun: string;
  /** Which one; undefined before any was chosen. */
  name: string | undefined;
  /** What follows, as the rest of a sentence that begins with the name. */
  children: ReactNode;
  /** What it throws is shown in the dialog. */
  onRemove: () => Promise<void>;
  onClose: () => void;
}

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
