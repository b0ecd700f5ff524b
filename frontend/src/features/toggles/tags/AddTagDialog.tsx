import { useId } from 'react';
import type { Tag } from '@/api/generated/types';
import { DEFAULT_TAG_TYPE, getTagTypeNames, suggestTagValues, toTag, validateTagValue } from '@/domain/tags/tags';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { useForm } from '@/shared/useForm';
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
  const { formProps, input, setInput, errors } = useForm({
    start: { type: DEFAULT_TAG_TYPE, value: '' },
    rules: ({ value }) => ({ value: validateTagValue(value) }),
    save: ({ type, value }) => onSubmit(toTag(type, value)),
  });
  return (
    <form {...formProps} id={id} className="grid gap-4">
      <SelectField
        label="Type"
        help={types.find(({ name }) => name === input.type)?.description ?? undefined}
        value={input.type}
        options={getTagTypeNames(types).map((name) => ({ value: name, label: name }))}
        onChange={(type) => setInput({ ...input, type })}
      />
      <TextField
        label="Value"
        required
        autoComplete="off"
        list={`${id}-values`}
        value={input.value}
        error={errors.value}
        onChange={(value) => setInput({ ...input, value })}
      />
      <datalist id={`${id}-values`}>
        {suggestTagValues(known, present, input.type).map((suggested) => (
          <option key={suggested} value={suggested} />
        ))}
      </datalist>
    </form>
  );
}
