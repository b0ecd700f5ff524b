import type { FieldErrors } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { ProjectInput } from '../rules';

interface Props {
  input: ProjectInput;
  errors: FieldErrors<ProjectInput>;
  onChange: (input: ProjectInput) => void;
  /** Omitted if the id cannot be changed. */
  checkId?: () => void;
}

export function ProjectFields({ input, errors, onChange, checkId }: Props) {
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Project id"
          placeholder="url-friendly-unique-id"
          help={checkId ? 'It cannot be changed later.' : 'The id cannot be changed: toggles refer to it.'}
          isReadOnly={checkId === undefined}
          error={errors.id}
          value={input.id}
          onChange={(id) => onChange({ ...input, id })}
          onBlur={checkId}
        />
        <TextField
          label="Name"
          aria-required
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
