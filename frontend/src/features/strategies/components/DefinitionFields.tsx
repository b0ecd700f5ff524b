// What the forms for new and for known definitions have in common.
import type { FieldErrors } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import type { DefinitionInput } from '../definition';
import { ParameterRows } from './ParameterRows';

interface Props {
  input: DefinitionInput;
  errors: FieldErrors<DefinitionInput>;
  /** The definition exists: clients and toggles know it by its name. */
  nameIsFixed?: boolean;
  onChange: (input: DefinitionInput) => void;
}

export function DefinitionFields({ input, errors, nameIsFixed = false, onChange }: Props) {
  return (
    <>
      <Card>
        <div className="grid gap-4">
          <NameField
            label="Name"
            isReadOnly={nameIsFixed}
            help={
              nameIsFixed
                ? 'Toggles and applications know the strategy by its name, so it stays.'
                : 'What applications implement: a unique name. It cannot be changed later.'
            }
            value={input.name}
            error={errors.name}
            onChange={(name) => onChange({ ...input, name })}
          />
          <TextArea
            label="Description"
            help="Whom the strategy selects, for those who choose it."
            value={input.description}
            onChange={(description) => onChange({ ...input, description })}
          />
        </div>
      </Card>
      <ParameterRows rows={input.parameters} onChange={(parameters) => onChange({ ...input, parameters })} />
    </>
  );
}
