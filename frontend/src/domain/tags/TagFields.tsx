import { useId } from 'react';
import type { TagType } from '@/api/generated/types';
import { bindFields, type FormFields } from '@/shared/useForm';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';
import { DEFAULT_TAG_TYPE, getTagTypeNames } from './tags';
import { validateTagValue } from './validateTagValue';

export interface TagInput {
  type: string;
  value: string;
}

export const newTag: TagInput = { type: DEFAULT_TAG_TYPE, value: '' };

export const tagErrors = ({ value }: TagInput) => ({ value: validateTagValue(value) });

interface Props extends FormFields<TagInput> {
  types: readonly TagType[];
  suggestions?: readonly string[];
}

/** The type and the value of a tag. */
export function TagFields({ types, suggestions, ...fields }: Props) {
  const list = useId();
  const bind = bindFields(fields);
  return (
    <div className="grid gap-4">
      <SelectField
        label="Type"
        help={types.find(({ name }) => name === fields.input.type)?.description ?? undefined}
        options={getTagTypeNames(types).map((name) => ({ value: name, label: name }))}
        {...bind('type')}
      />
      <TextField label="Value" required autoComplete="off" list={suggestions && list} {...bind('value')} />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((suggested) => (
            <option key={suggested} value={suggested} />
          ))}
        </datalist>
      )}
    </div>
  );
}
