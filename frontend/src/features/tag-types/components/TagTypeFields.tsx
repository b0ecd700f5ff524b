import type { FieldsProps } from '@/shared/entity';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { TagTypeInput } from '../rules';

export function TagTypeFields({ input, errors, onChange, isExisting, onCheckId }: FieldsProps<TagTypeInput>) {
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Name"
          placeholder="url-friendly-unique-name"
          help={isExisting ? 'It cannot be changed, because tags refer to it.' : 'It cannot be changed later.'}
          isReadOnly={isExisting}
          error={errors.name}
          value={input.name}
          onChange={(name) => onChange({ ...input, name })}
          onBlur={onCheckId}
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
