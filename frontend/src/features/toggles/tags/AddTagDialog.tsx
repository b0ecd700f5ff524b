import { type FormEvent, useId, useState } from 'react';
import type { Tag } from '@/api/generated/types';
import { DEFAULT_TAG_TYPE, getTagTypeNames, suggestTagValues, toTag, validateTagValue } from '@/domain/tags/tags';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { PromptDialog } from '@/ui/PromptDialog';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';
import { useTagChoices } from './useToggleTags';

interface Props {
  prompt: Prompt<void>;
  /** Tags that the toggle already has, which are not suggested. */
  present: readonly Tag[];
  /** An error that it throws is shown in the dialog. */
  onAdd: (tag: Tag) => Promise<void>;
}

export function AddTagDialog({ prompt, present, onAdd }: Props) {
  const form = useId();
  const isOpen = useStore(prompt.store)?.open ?? false;
  const submit = (tag: Tag) =>
    prompt.run(async () => {
      await onAdd(tag);
      return true;
    });
  return (
    <PromptDialog prompt={prompt} title="Add tag" submitLabel="Add tag" onSubmit={{ form }}>
      {/* Mounted on each opening, so that the form starts empty. */}
      {isOpen && <TagForm id={form} present={present} onSubmit={submit} />}
    </PromptDialog>
  );
}

interface FormProps {
  id: string;
  present: readonly Tag[];
  onSubmit: (tag: Tag) => Promise<void>;
}

function TagForm({ id, present, onSubmit }: FormProps) {
  const { types, known } = useTagChoices(true);
  const [type, setType] = useState(DEFAULT_TAG_TYPE);
  const [value, setValue] = useState('');
  const [valueError, setValueError] = useState<string>();
  useLeaveGuard(value.trim() !== '');

  async function submit(event: FormEvent) {
    event.preventDefault();
    const invalid = validateTagValue(value);
    if (invalid !== undefined) return setValueError(invalid);
    await onSubmit(toTag(type, value));
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
    </form>
  );
}
