import { useState } from 'react';
import { leaveGuards, leavePrompt } from '@/lib/leaveGuard';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Offers to save or discard unsaved work before leaving the page. Closing the dialog means to stay. */
export function LeaveDialog({ open, onClose }: Props) {
  // The work when the dialog opened, so that no button disappears while it closes.
  const [guards] = useState(leaveGuards.get);
  const [saving, setSaving] = useState(false);
  const canSave = guards.every(({ save }) => save);
  const reason = guards.find(({ saveDisabledReason }) => saveDisabledReason)?.saveDisabledReason;
  const discard = () => {
    for (const guard of leaveGuards.get()) guard.discard?.();
    leavePrompt.answer(true);
  };
  const save = async () => {
    setSaving(true);
    if (await saveAll()) leavePrompt.answer(true);
    else onClose();
  };
  return (
    <Dialog
      // Closed while saving, because a conflict opens its own dialog.
      open={open && !saving}
      onClose={onClose}
      title="Unsaved changes"
      actions={
        <>
          <Button onClick={onClose}>Stay</Button>
          <Button variant="danger" onClick={discard}>
            Discard
          </Button>
          {canSave && (
            <Button variant="unsaved" disabledReason={reason} onClick={() => void save()}>
              Save all
            </Button>
          )}
        </>
      }
    >
      <p className="text-muted">Data will be lost if you leave the page, are you sure?</p>
      {canSave && reason !== undefined && (
        <p data-reason-note="" className="text-secondary text-warn">
          {reason}
        </p>
      )}
    </Dialog>
  );
}

/** Saves all work, until a save fails. Resolves with whether the page can be left. */
async function saveAll(): Promise<boolean> {
  for (const { save } of leaveGuards.get()) if (!(await save?.())) return false;
  return true;
}
