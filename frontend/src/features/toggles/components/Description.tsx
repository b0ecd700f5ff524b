import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Toggle } from '@/api/generated/types';
import { useLeaveGuard } from '@/lib/leaveGuard';
import { Button } from '@/ui/Button';
import { FailureText } from '@/ui/FailureText';
import { TextArea } from '@/ui/TextArea';
import { useToggleSave } from '../useToggleSave';

interface Props {
  toggle: Toggle;
  /** Given: it cannot be edited. */
  readOnly?: string | undefined;
}

export function Description({ toggle, readOnly }: Props) {
  const [editing, setEditing] = useState(false);
  const link = useRef<HTMLButtonElement>(null);
  const stop = () => {
    // The field that had the focus is gone: it goes back to where it came from.
    flushSync(() => setEditing(false));
    link.current?.focus();
  };
  // What was begun stays, also while it cannot be saved.
  if (editing) return <DescriptionForm toggle={toggle} readOnly={readOnly} onDone={stop} />;
  if (!toggle.description && readOnly !== undefined) return null;
  return (
    <p className="-mt-2 mb-3 wrap-anywhere text-muted">
      {toggle.description || 'No description'}
      {readOnly === undefined && (
        <button
          ref={link}
          type="button"
          aria-label="Edit description"
          className="ml-2.5 font-medium text-accent hover:underline touch:min-h-touch touch:min-w-touch"
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
      )}
    </p>
  );
}

function DescriptionForm({ toggle, readOnly, onDone }: Props & { onDone: () => void }) {
  const { save, saving, conflict } = useToggleSave(toggle);
  // What the edit began with: another one may save meanwhile, and then both are merged.
  const [base] = useState(toggle);
  const [text, setText] = useState(toggle.description ?? '');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  const trimmed = text.trim();
  const changed = trimmed !== (base.description ?? '').trim();
  useLeaveGuard(changed);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (readOnly !== undefined) return;
    if (trimmed === '') return setError('Describe what the toggle is for.');
    if (!changed) return onDone();
    setError(undefined);
    setFailure(undefined);
    try {
      if (await save(base, (one) => ({ ...one, description: trimmed }), { inline: true })) onDone();
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  return (
    <>
      <form noValidate className="mb-4 grid max-w-180 gap-3" onSubmit={(event) => void submit(event)}>
        <TextArea
          label="Description"
          required
          autoFocus
          rows={2}
          value={text}
          error={error}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onDone();
          }}
        />
        {failure && <FailureText failure={failure} />}
        <div className="flex gap-2.5">
          <Button type="submit" variant="primary" busy={saving} disabledReason={readOnly}>
            Save
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </form>
      {conflict}
    </>
  );
}
