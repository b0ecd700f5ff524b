import { useState } from 'react';
import { pendingSwitch, type SwitchRequest } from '@/domain/toggles/confirmSwitch';
import { useStore } from '@/lib/store';
import { ConfirmDialog } from '@/ui/ConfirmDialog';

/** Asks for confirmation before a toggle is switched. One instance for the page, used by all switches. */
export function SwitchConfirmation() {
  const pending = useStore(pendingSwitch);
  // Keeps the texts while the dialog closes.
  const [question, setQuestion] = useState<SwitchRequest>();
  if (pending && pending !== question) setQuestion(pending);
  if (!question) return null;
  const { subject, on, environment } = question;
  const action = on ? 'Enable' : 'Disable';
  return (
    <ConfirmDialog
      open={pending !== undefined}
      title={`${action} ${subject} in ${environment}`}
      body={
        <p>
          This affects users of <b className="wrap-anywhere text-text">{environment}</b> as soon as their applications
          fetch the toggles again.
        </p>
      }
      confirmLabel={action}
      onConfirm={async () => pending?.answer(true)}
      onClose={() => pending?.answer(false)}
    />
  );
}
