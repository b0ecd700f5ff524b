import { withoutSpaces } from '@/lib/withoutSpaces';
import type { FieldText } from './Field';
import { TextField } from './TextField';

interface Props extends FieldText {
  value: string;
  placeholder?: string;
  /** It was given once and for all. */
  isReadOnly?: boolean;
  onChange: (name: string) => void;
  /** The field was left: the time to ask whether the name can be had. */
  onBlur?: (() => void) | undefined;
}

/** What a thing is known by: no white space can be typed into it. */
export function NameField({ isReadOnly = false, onChange, onBlur, ...text }: Props) {
  return (
    <TextField
      aria-required
      autoComplete="off"
      spellCheck={false}
      readOnly={isReadOnly}
      onChange={(typed) => onChange(withoutSpaces(typed))}
      {...(onBlur && { onBlur })}
      {...text}
    />
  );
}
