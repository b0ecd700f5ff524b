// Fields of the forms that create and edit a strategy definition.
import type { FieldErrors } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import type { DefinitionInput } from '../definition';
import { ParameterRows } from './ParameterRows';

interface Props {
  input: DefinitionInput;
  errors: FieldErrors<DefinitionInput>;
  /** The definition exists, so its name cannot be changed. */
  isNameReadOnly?: boolean;
  onChange: (input: DefinitionInput) => void;
}

export function DefinitionFields({ input, errors, isNameReadOnly = false, onChange }: Props) {
  return (
    <>
      <Card>
        <div className="grid gap-4">
          <NameField
            label="Name"
            isReadOnly={isNameReadOnly}
            help={
              isNameReadOnly
                ? 'The name cannot be changed: toggles and applications refer to it.'
                : 'The unique name that your applications implement. It cannot be changed later.'
            }
            value={input.name}
            error={errors.name}
            onChange={(name) => onChange({ ...input, name })}
          />
          <TextArea
            label="Description"
            help="Shown when choosing a strategy."
            value={input.description}
            onChange={(description) => onChange({ ...input, description })}
          />
        </div>
      </Card>
      <ParameterRows rows={input.parameters} onChange={(parameters) => onChange({ ...input, parameters })} />
    </>
  );
}
