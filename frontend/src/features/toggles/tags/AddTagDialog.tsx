import { type FormEvent, useId, useState } from 'react';
import type { Tag } from '@/api/generated/types';
import { DEFAULT_TAG_TYPE, getTagTypeNames, suggestTagValues, toTag, validateTagValue } from '@/domain/tags/tags';
import { useLeaveGuard } from '@/lib/leaveGuard';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FailureText } from '@/ui/FailureText';
import { SelectField } from '@/ui/SelectField';
import { TextField } from '@/ui/TextField';
import { BUSY } from '@/ui/useDialogRequest';
import { useTagChoices } from './useToggleTags';

interface Props {
  open: boolean;
  /** Tags that the toggle already has, which are not suggested. */
  present: readonly Tag[];
  onAdd: (tag: Tag) => Promise<void>;
  onClose: () => void;
}

export function AddTagDialog({ open, present, onAdd, onClose }: Props) {
  const form = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      title="Add tag"
      busy={busy}
      onClose={onClose}
      actions={
        <>
          <Button disabledReason={busy ? BUSY : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            Add tag
          </Button>
        </>
      }
    >
      {/* Mounted on each opening, so that the form starts empty. */}
      {open && <TagForm id={form} present={present} onAdd={onAdd} onBusy={setBusy} onDone={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  id: string;
  present: readonly Tag[];
  onAdd: (tag: Tag) => Promise<void>;
  onBusy: (busy: boolean) => void;
  onDone: () => void;
}

function TagForm({ id, present, onAdd, onBusy, onDone }: FormProps) {
  const { types, known } = useTagChoices(true);
  const [type, setType] = useState(DEFAULT_TAG_TYPE);
  const [value, setValue] = useState('');
  const [valueError, setValueError] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  useLeaveGuard(value.trim() !== '');

  async function submit(event: FormEvent) {
    event.preventDefault();
    const invalid = validateTagValue(value);
    if (invalid !== undefined) return setValueError(invalid);
    setFailure(undefined);
    onBusy(true);
    try {
      await onAdd(toTag(type, value));
      onDone();
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      onBusy(false);
    }
  }

  return (
    <form id={id} noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <SelectField
        label="Type"
        help={types.find(({ name }) => name === type)?.description ?? undefined}
        value={type}
        options={getTagTypeNames(types).map((name) => ({ value: name, label: name }))}
        onChange={setType}
      />
      <TextField
        label="Value"
        required
        autoComplete="off"
        list={`${id}-values`}
        value={value}
        error={valueError}
        onChange={(typed) => {
          setValue(typed);
          setValueError(undefined);
        }}
      />
      <datalist id={`${id}-values`}>
        {suggestTagValues(known, present, type).map((suggested) => (
          <option key={suggested} value={suggested} />
        ))}
      </datalist>
      {failure && <FailureText failure={failure} />}
    </form>
  );
}
