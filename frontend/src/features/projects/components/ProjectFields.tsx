import type { FieldsProps } from '@/shared/entity';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { ProjectInput } from '../rules';

export function ProjectFields({ input, errors, onChange, isExisting, onCheckId }: FieldsProps<ProjectInput>) {
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Project id"
          placeholder="url-friendly-unique-id"
          help={isExisting ? 'The id cannot be changed: toggles refer to it.' : 'It cannot be changed later.'}
          isReadOnly={isExisting}
          error={errors.id}
          value={input.id}
          onChange={(id) => onChange({ ...input, id })}
          onBlur={onCheckId}
        />
        <TextField
          label="Name"
          required
          autoComplete="off"
          error={errors.name}
          value={input.name}
          onChange={(name) => onChange({ ...input, name })}
        />
        <TextArea
          label="Description"
          rows={2}
          value={input.description}
          onChange={(description) => onChange({ ...input, description })}
        />
      </div>
    </Card>
  );
}
