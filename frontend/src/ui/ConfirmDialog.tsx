import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { FailureText } from './FailureText';
import { BUSY, useDialogRequest } from './useDialogRequest';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** The effect, and the affected object. */
  body: ReactNode;
  /** The action, as a verb. */
  confirmLabel: string;
  tone?: 'danger';
  /** An error that it throws is shown here, and the dialog stays open. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation of an action and waits for its request. Each opening has its own busy state and error. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open } = props;
  const [wasOpen, setWasOpen] = useState(open);
  const [openings, setOpenings] = useState(0);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpenings(openings + 1);
  }
  return <ConfirmDialogInstance key={openings} {...props} />;
}

function ConfirmDialogInstance({ open, title, body, confirmLabel, tone, onConfirm, onClose }: ConfirmDialogProps) {
  const { busy, failure, run } = useDialogRequest();
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button disabledReason={busy ? BUSY : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant={tone === 'danger' ? 'dangerPrimary' : 'primary'}
            busy={busy}
            onClick={() => void run(confirm)}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-muted">{body}</div>
      {failure && <FailureText failure={failure} />}
    </Dialog>
  );
}
