import { type ReactNode, useId } from 'react';
import { cx } from '@/lib/cx';
import { fieldLabelClass } from './fieldClass';

export interface FieldText {
  label: string;
  help?: ReactNode;
  /** The problem with the value, and how to fix it. */
  error?: string | undefined;
  required?: boolean;
}

/** Mark of a required field. Visual only: assistive technology uses `aria-required` on the control. */
export const REQUIRED_MARK = "after:text-danger after:content-['_*'/'']";

interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
}

interface FieldProps extends FieldText {
  /** The label is for assistive technology only, because a text beside the field names it. */
  hidesLabel?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** Form field: label above, error and help below, connected to the control for assistive technology. */
export function Field({ label, help, error, required, hidesLabel = false, children }: FieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={hidesLabel ? 'sr-only' : cx(fieldLabelClass, required && REQUIRED_MARK)}>
        {label}
      </label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true as const }),
        ...(required && { 'aria-required': true as const }),
      })}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-danger text-secondary">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-muted text-secondary">
          {help}
        </p>
      )}
    </div>
  );
}
