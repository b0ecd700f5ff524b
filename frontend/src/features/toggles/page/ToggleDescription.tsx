import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Toggle } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { useForm } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { FailureText } from '@/ui/FailureText';
import { TextArea } from '@/ui/TextArea';
import { useToggleSave } from '../saving/useToggleSave';

interface Props {
  toggle: Toggle;
  /** Reason why the description cannot be edited. */
  readOnlyReason?: string | undefined;
}

export function ToggleDescription({ toggle, readOnlyReason }: Props) {
  const [editing, setEditing] = useState(false);
  const [expanded, setExpanded] = useState(false);
  const link = useRef<HTMLButtonElement>(null);
  const stop = () => {
    // The focused field disappears, so focus returns to the Edit button.
    flushSync(() => setEditing(false));
    link.current?.focus();
  };
  // The form stays open while saving is impossible, so that typed text is not lost.
  if (editing) return <DescriptionForm toggle={toggle} readOnlyReason={readOnlyReason} onDone={stop} />;
  if (!toggle.description && readOnlyReason !== undefined) return null;
  const text = toggle.description || 'No description';
  return (
    <div className="-mt-2 mb-3 flex items-start gap-2.5 text-muted max-sm:mt-0 max-sm:mb-2">
      <p className={cx('wrap-anywhere min-w-0', !expanded && 'max-sm:line-clamp-1')}>{text}</p>
      {text.length > PHONE_LINE_LENGTH && (
        <button
          type="button"
          aria-expanded={expanded}
          className={cx(TEXT_BUTTON, 'sm:hidden')}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? 'Less' : 'More'}
        </button>
      )}
      {readOnlyReason === undefined && (
        <button
          ref={link}
          type="button"
          aria-label="Edit description"
          className={TEXT_BUTTON}
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
      )}
    </div>
  );
}

/** Number of characters that fit on one line of a phone, beside the buttons. */
const PHONE_LINE_LENGTH = 30;

/** The target is larger than the text, which must not make the line higher. */
const TEXT_BUTTON =
  'relative shrink-0 font-medium text-accent hover:underline touch:after:absolute touch:after:-inset-x-1.5 touch:after:-inset-y-3';

function DescriptionForm({ toggle, readOnlyReason, onDone }: Props & { onDone: () => void }) {
  const { save, conflict } = useToggleSave();
  const { formProps, input, base, bind, failure, saving, submit } = useForm({
    start: { description: toggle.description ?? '' },
    base: toggle,
    rules: ({ description }) => ({ description: description.trim() === '' ? 'Enter a description.' : undefined }),
    /** Resolves with true if the description was stored without a conflict. */
    save: async ({ description }, opened) => {
      if (readOnlyReason !== undefined) return false;
      let hasConflict = false;
      const onConflict = () => {
        hasConflict = true;
      };
      const edit = (stored: Toggle) => ({ ...stored, description: description.trim() });
      const isStored = !isChanged(opened, description) || (await save(opened, edit, { inline: true, onConflict }));
      if (isStored) onDone();
      return isStored && !hasConflict;
    },
    guardsLeave: false,
  });
  // The header stays on the page when the tab changes.
  useLeaveGuard(isChanged(base, input.description), {
    save: submit,
    saveDisabledReason: readOnlyReason,
    discard: onDone,
  });
  return (
    <>
      <form {...formProps} className="mb-4 grid max-w-180 gap-3">
        <TextArea
          label="Description"
          required
          autoFocus
          rows={2}
          {...bind('description')}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onDone();
          }}
        />
        {failure && <FailureText failure={failure} />}
        <div className="flex gap-2.5">
          <Button type="submit" variant="primary" busy={saving} disabledReason={readOnlyReason}>
            Save
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </form>
      {conflict}
    </>
  );
}

function isChanged({ description }: Toggle, typed: string): boolean {
  return typed.trim() !== (description ?? '').trim();
}
