import { useState } from 'react';
import { leaveGuards, leavePrompt } from '@/lib/leaveGuard';
import { userSignal, useStore } from '@/lib/store';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

interface Props {
  open: boolean;
  /** The work is being saved. */
  saving: boolean;
  onClose: () => void;
}

/** Offers to save or discard unsaved work before leaving the page. Closing the dialog means to stay. */
function LeaveDialog({ open, saving, onClose }: Props) {
  // The work when the dialog opened, so that no button disappears while it closes.
  const [guards] = useState(leaveGuards.get);
  const canSave = guards.every(({ save }) => save);
  const reason = guards.find(({ saveDisabledReason }) => saveDisabledReason)?.saveDisabledReason;
  const discard = () => {
    for (const guard of leaveGuards.get()) guard.discard?.();
    leavePrompt.answer('discarded');
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
            <Button variant="unsaved" disabledReason={reason} onClick={() => void leavePrompt.run(saveAll)}>
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

/** Saves all work of this user, until a save fails. */
async function saveAll(): Promise<'saved' | 'notSaved'> {
  const user = userSignal();
  for (const { save } of leaveGuards.get()) if (user.aborted || !(await save?.())) return 'notSaved';
  return 'saved';
}

/** Asks before a navigation discards unsaved work. One instance for the page. */
export function LeaveConfirmation() {
  const prompt = useStore(leavePrompt.store);
  if (!prompt) return null;
  return <LeaveDialog key={prompt.number} open={prompt.open} saving={prompt.busy} onClose={leavePrompt.close} />;
}
