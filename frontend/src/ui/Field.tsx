import { type ReactNode, useId } from 'react';
import { cx } from '@/lib/cx';
import { fieldLabelClass } from './fieldClass';

export interface FieldText {
  label: string;
  help?: ReactNode;
  /** What is wrong and how to mend it, in place. */
  error?: string | undefined;
  required?: boolean;
}

/** For eyes only: the control itself says that it is required. The browser's own bubbles would say it a third time. */
const REQUIRED_MARK = "after:text-danger after:content-['_*'/'']";

interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
}

interface FieldProps extends FieldText {
  children: (control: ControlProps) => ReactNode;
}

/** Label above, help and error below, all of them tied to the control for those who hear the page. */
export function Field({ label, help, error, required, children }: FieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={cx(fieldLabelClass, required && REQUIRED_MARK)}>
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
