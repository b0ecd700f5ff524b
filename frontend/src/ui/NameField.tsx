import { removeSpaces } from '@/lib/text';
import type { FieldText } from './Field';
import { TextField } from './TextField';

interface Props extends FieldText {
  value: string;
  placeholder?: string;
  /** The name exists and cannot be changed. */
  isReadOnly?: boolean;
  onChange: (name: string) => void;
  /** Used to check on the server whether the name is available. */
  onBlur?: (() => void) | undefined;
}

/** Text field for a name or id. Removes white space while typing. */
export function NameField({ isReadOnly = false, onChange, onBlur, ...text }: Props) {
  return (
    <TextField
      required={!isReadOnly}
      autoComplete="off"
      spellCheck={false}
      readOnly={isReadOnly}
      onChange={(typed) => onChange(removeSpaces(typed))}
      {...(onBlur && { onBlur })}
      {...text}
    />
  );
}
