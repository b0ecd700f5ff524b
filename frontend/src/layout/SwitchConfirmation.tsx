import { useState } from 'react';
import { useStore } from '@/lib/store';
import { pendingQuestion, type Question } from '@/shared/confirmSwitch';
import { ConfirmDialog } from '@/ui/ConfirmDialog';

/** One for the whole page, for whatever switches toggles. */
export function SwitchConfirmation() {
  const pending = useStore(pendingQuestion);
  // Its words stay while it closes.
  const [question, setQuestion] = useState<Question>();
  if (pending && pending !== question) setQuestion(pending);
  if (!question) return null;
  const { what, on, environment } = question;
  const deed = `Switch ${on ? 'on' : 'off'}`;
  return (
    <ConfirmDialog
      open={pending !== undefined}
      title={`${deed} ${what} in ${environment}`}
      body={
        <p>
          This changes what users of <b className="wrap-anywhere text-text">{environment}</b> get, as soon as their
          applications ask again.
        </p>
      }
      confirmLabel={deed}
      onConfirm={async () => pending?.answer(true)}
      onClose={() => pending?.answer(false)}
    />
  );
}
