import { useId } from 'react';
import type { Tag } from '@/api/generated/types';
import { newTag, TagFields, tagErrors } from '@/domain/tags/TagFields';
import { suggestTagValues, toTag } from '@/domain/tags/tags';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { useForm } from '@/shared/useForm';
import { PromptDialog } from '@/ui/PromptDialog';
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
  const { formProps, fieldsProps, fields } = useForm({
    start: newTag,
    rules: tagErrors,
    save: ({ type, value }) => onSubmit(toTag(type, value)),
  });
  return (
    <form {...formProps} id={id}>
      <fieldset {...fieldsProps} className="min-w-0">
        <TagFields {...fields} types={types} suggestions={suggestTagValues(known, present, fields.input.type)} />
      </fieldset>
    </form>
  );
}
