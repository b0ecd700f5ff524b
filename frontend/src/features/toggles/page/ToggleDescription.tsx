import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { isComposing, isEnter } from '@/lib/keyboard';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { useForm } from '@/shared/useForm';
import { atHandClass } from '@/ui/atHand';
import { Button } from '@/ui/Button';
import { BUSY } from '@/ui/busyReason';
import { FailureText } from '@/ui/FailureText';
import { Field } from '@/ui/Field';
import { inputClass } from '@/ui/fieldClass';
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
  const stop = () => setEditing(false);
  // The form stays open while saving is impossible, so that typed text is not lost.
  if (editing) {
    return <DescriptionForm toggle={toggle} readOnlyReason={readOnlyReason} onDone={stop} editButton={link} />;
  }
  if (!toggle.description && readOnlyReason !== undefined) return null;
  const text = toggle.description || 'No description';
  return (
    <div className={ROW}>
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
          className={cx(TEXT_BUTTON, atHandClass)}
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
      )}
    </div>
  );
}

const ROW = '-mt-2 mb-3 flex items-start gap-2.5 text-muted max-sm:mt-0 max-sm:mb-2';

/** Number of characters that fit on one line of a phone, beside the buttons. */
const PHONE_LINE_LENGTH = 30;

/** The target is larger than the text, which must not make the line higher. */
const TEXT_BUTTON =
  'relative shrink-0 font-medium text-accent hover:underline touch:after:absolute touch:after:-inset-x-1.5 touch:after:-inset-y-3';

interface FormProps extends Props {
  onDone: () => void;
  /** The button that replaces the form. */
  editButton: RefObject<HTMLElement | null>;
}

function DescriptionForm({ toggle, readOnlyReason, onDone, editButton }: FormProps) {
  const { save, conflict } = useToggleSave();
  const { formProps, input, base, bind, errors, failure, saving, submit } = useForm({
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
      const done = `Description of ${toggle.name} saved`;
      const isStored =
        !isChanged(opened, description) || (await save(opened, edit, { inline: true, onConflict, done }));
      if (isStored) onDone();
      return isStored && !hasConflict;
    },
    guardsLeave: false,
  });
  // The user may be elsewhere when the save ends.
  useRestoreFocus(formProps.ref, editButton);
  /** Enter saves, and Shift+Enter starts a new line. */
  function handleKey(event: KeyboardEvent) {
    if (saving || isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') onDone();
    if (!isEnter(event.nativeEvent) || event.shiftKey) return;
    event.preventDefault();
    void submit();
  }
  // The header stays on the page when the tab changes.
  useLeaveGuard(isChanged(base, input.description), {
    save: submit,
    saveDisabledReason: readOnlyReason,
    discard: onDone,
  });
  return (
    <>
      <form {...formProps} className={cx(ROW, 'max-sm:mb-3 max-sm:grid max-sm:gap-2')}>
        <div className="min-w-0">
          <Field label="Description" required hidesLabel error={errors.description}>
            {(control) => (
              <textarea
                {...control}
                // biome-ignore lint/a11y/noAutofocus: the user has chosen to edit the text.
                autoFocus
                rows={1}
                readOnly={saving}
                value={input.description}
                onChange={({ target }) => bind('description').onChange(target.value)}
                onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
                onKeyDown={handleKey}
                className={cx(inputClass, TEXT)}
              />
            )}
          </Field>
          {failure && <FailureText failure={failure} className="mt-1.5" />}
        </div>
        <span className="-my-1 flex shrink-0 gap-1.5 max-sm:my-0">
          <Button type="submit" size="small" variant="primary" busy={saving} disabledReason={readOnlyReason}>
            Save
          </Button>
          <Button size="small" disabledReason={saving ? BUSY : undefined} onClick={onDone}>
            Cancel
          </Button>
        </span>
      </form>
      {conflict}
    </>
  );
}

/** The text of the field is at the position of the text that it replaces. */
const TEXT = cx(
  'block field-sizing-content h-auto! max-h-40 min-w-60 resize-none py-1 touch:h-auto!',
  'sm:-my-[5px] sm:-ml-[13px] sm:w-auto sm:max-w-[calc(100%+13px)]',
);

function isChanged({ description }: Toggle, typed: string): boolean {
  return typed.trim() !== (description ?? '').trim();
}
