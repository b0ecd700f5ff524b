import { leavePrompt } from '@/lib/leaveGuard';
import { useStore } from '@/lib/store';
import { Button } from '@/ui/Button';
import { DialogPopup } from '@/ui/DialogPopup';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Offers to save or discard unsaved work before leaving the page. Closing the dialog means to stay. */
export function LeaveDialog({ open, onClose }: Props) {
  const { canSave = false, saveDisabledReason } = useStore(leavePrompt.store)?.question ?? {};
  return (
    <DialogPopup
      open={open}
      onClose={onClose}
      title="Unsaved changes"
      actions={
        <>
          <Button onClick={onClose}>Stay</Button>
          <Button variant="danger" onClick={() => leavePrompt.answer('discard')}>
            Discard
          </Button>
          {canSave && (
            <Button variant="unsaved" disabledReason={saveDisabledReason} onClick={() => leavePrompt.answer('save')}>
              Save all
            </Button>
          )}
        </>
      }
    >
      <p className="text-muted">Data will be lost if you leave the page, are you sure?</p>
      {canSave && saveDisabledReason !== undefined && <p className="text-secondary text-warn">{saveDisabledReason}</p>}
    </DialogPopup>
  );
}
