import type { Tag } from '@/api/generated/types';
import { newTag, TagFields, tagErrors } from '@/domain/tags/TagFields';
import { suggestTagValues, toTag } from '@/domain/tags/tags';
import { useForm } from '@/shared/useForm';
import { useTagChoices } from './useToggleTags';

interface Props {
  id: string;
  /** Tags that the toggle already has, which are not suggested. */
  present: readonly Tag[];
  onSubmit: (tag: Tag) => Promise<void>;
}

/** The form of a tag that is added to toggles. */
export function TagForm({ id, present, onSubmit }: Props) {
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
