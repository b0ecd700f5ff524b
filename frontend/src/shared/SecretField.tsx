import type { ClipboardEventHandler, ReactNode } from 'react';
import { TextField } from '@/ui/TextField';

interface Props {
  label: string;
  value: string;
  autoFocus?: boolean;
  help?: ReactNode;
  onCopy?: ClipboardEventHandler<HTMLInputElement>;
}

/** A secret that can be read and copied. The focus selects it. */
export function SecretField({ value, ...rest }: Props) {
  return (
    <TextField
      readOnly
      className="font-mono"
      value={value}
      onChange={() => undefined}
      onFocus={(event) => event.currentTarget.select()}
      {...rest}
    />
  );
}
