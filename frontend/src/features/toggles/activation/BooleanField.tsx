import { Field, type FieldText } from '@/ui/Field';
import { Switch } from '@/ui/Switch';

interface Props extends Omit<FieldText, 'error' | 'required'> {
  /** `true` or `false` as text. */
  value: string;
  onChange: (value: string) => void;
}

/** Switch for a boolean, with the label and the description of a form field. */
export function BooleanField({ value, onChange, ...text }: Props) {
  return (
    <Field {...text}>
      {(control) => (
        <span className="flex min-h-control items-center">
          <Switch
            control={control}
            label={text.label}
            stateText={['Yes', 'No']}
            checked={value === 'true'}
            onChange={(checked) => onChange(String(checked))}
          />
        </span>
      )}
    </Field>
  );
}
