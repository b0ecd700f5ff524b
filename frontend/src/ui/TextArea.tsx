import type { ComponentProps } from 'react';
import { cx } from '@/lib/cx';
import { Field, type FieldText } from './Field';
import { inputClass } from './fieldClass';

interface TextAreaProps
  extends FieldText,
    Omit<ComponentProps<'textarea'>, keyof FieldText | 'value' | 'onChange' | 'id' | 'aria-required'> {
  value: string;
  onChange: (text: string) => void;
}

export function TextArea({ label, help, error, required, value, onChange, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} help={help} error={error} {...(required && { required })}>
      {(control) => (
        <textarea
          rows={3}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(
            inputClass,
            'field-sizing-content h-auto max-h-80 min-h-18 resize-y py-2 touch:h-auto',
            className,
          )}
        />
      )}
    </Field>
  );
}
