import type { FieldErrors } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { ContextFieldInput } from '../rules';
import { LegalValuesField } from './LegalValuesField';

interface Props {
  input: ContextFieldInput;
  errors: FieldErrors<ContextFieldInput>;
  onChange: (input: ContextFieldInput) => void;
  /** Left out: the name is given once and for all. */
  checkName?: () => void;
}

export function ContextFieldFields({ input, errors, onChange, checkName }: Props) {
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Name"
          help={
            checkName
              ? 'As applications call it in what they send. It cannot be changed later.'
              : 'It cannot be changed: applications know it by this name.'
          }
          isReadOnly={checkName === undefined}
          error={errors.name}
          value={input.name}
          onChange={(name) => onChange({ ...input, name })}
          onBlur={checkName}
        />
        <TextArea
          label="Description"
          rows={2}
          value={input.description}
          onChange={(description) => onChange({ ...input, description })}
        />
        <LegalValuesField input={input} onChange={onChange} />
        <Checkbox
          label="Allow stickiness"
          help="The flexibleRollout strategy and variants can then keep those who share a value together: whoever has the same value always gets the same answer."
          checked={input.stickiness}
          onChange={(stickiness) => onChange({ ...input, stickiness })}
        />
        <TextField
          label="Sort order"
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28 tabular-nums"
          help="Lists of context fields begin with the smallest."
          error={errors.sortOrder}
          value={input.sortOrder}
          onChange={(sortOrder) => onChange({ ...input, sortOrder })}
        />
      </div>
    </Card>
  );
}
