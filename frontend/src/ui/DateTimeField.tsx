import { Field, type FieldText } from './Field';
import { inputClass } from './fieldClass';

interface Props extends FieldText {
  /** Local time, such as `2026-01-05T10:00`. Later changes are ignored, so that typed parts are kept. */
  initialValue: string;
  onChange: (localTime: string) => void;
}

/**
 * Date and time. The browser's field, because it is accessible, uses the locale of the browser, and opens the picker of
 * the system on phones.
 */
export function DateTimeField({ initialValue, onChange, ...text }: Props) {
  return (
    <Field {...text}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          defaultValue={initialValue}
          onChange={(event) => onChange(event.target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
}

const LENGTHS = { minutes: 16, seconds: 19 };

/** Converts a UTC time to the value of a `datetime-local` input, such as `2026-01-05T10:00`; empty if invalid. */
export function toLocalTime(moment: string | undefined, precision: keyof typeof LENGTHS = 'minutes'): string {
  const at = Date.parse(moment ?? '');
  if (Number.isNaN(at)) return '';
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, LENGTHS[precision]);
}
