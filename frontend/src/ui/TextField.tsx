import type { ComponentProps } from 'react';
import { cx } from '@/lib/cx';
import { Field, type FieldText } from './Field';
import { inputClass } from './fieldClass';

interface TextFieldProps
  extends FieldText,
    Omit<ComponentProps<'input'>, keyof FieldText | 'value' | 'onChange' | 'id' | 'aria-required'> {
  value: string;
  onChange: (text: string) => void;
}

export function TextField({ label, help, error, required, value, onChange, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} {...(required && { required })}>
      {(control) => (
        <input
          type="text"
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(inputClass, className)}
        />
      )}
    </Field>
  );
}
