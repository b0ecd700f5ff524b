import type { FieldErrors } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { TagTypeInput } from '../rules';

interface Props {
  input: TagTypeInput;
  errors: FieldErrors<TagTypeInput>;
  onChange: (input: TagTypeInput) => void;
  /** Validates the name of a new tag type; absent for an existing one, whose name is fixed. */
  checkName?: () => void;
}

export function TagTypeFields({ input, errors, onChange, checkName }: Props) {
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Name"
          placeholder="url-friendly-unique-name"
          help={checkName ? 'It cannot be changed later.' : 'It cannot be changed, because tags refer to it.'}
          isReadOnly={checkName === undefined}
          error={errors.name}
          value={input.name}
          onChange={(name) => onChange({ ...input, name })}
          onBlur={checkName}
        />
        <TextArea
          label="Description"
          rows={2}
          help="What tags of this type describe."
          value={input.description}
          onChange={(description) => onChange({ ...input, description })}
        />
        <TextField
          label="Icon"
          autoComplete="off"
          className="max-w-40"
          help="A letter or symbol, such as # or T."
          value={input.icon}
          onChange={(icon) => onChange({ ...input, icon })}
        />
      </div>
    </Card>
  );
}
