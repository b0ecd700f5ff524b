import { Field, type FieldText } from './Field';
import { NativeSelect, type Option } from './Select';

interface SelectFieldProps<T extends string> extends FieldText {
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

export function SelectField<T extends string>({ value, options, onChange, ...text }: SelectFieldProps<T>) {
  return (
    <Field {...text}>
      {(control) => <NativeSelect {...control} value={value} options={options} onChange={onChange} />}
    </Field>
  );
}
