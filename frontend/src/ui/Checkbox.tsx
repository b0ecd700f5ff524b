import { type ReactNode, useId } from 'react';

interface Props {
  label: string;
  help?: ReactNode;
  checked: boolean;
  onChange: (next: boolean) => void;
}

export function Checkbox({ label, help, checked, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="flex items-center gap-2.5 self-start font-medium touch:min-h-touch">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          {...(help !== undefined && { 'aria-describedby': `${id}-help` })}
        />
        {label}
      </label>
      {help && (
        <p id={`${id}-help`} className="pl-6.5 text-muted text-secondary">
          {help}
        </p>
      )}
    </div>
  );
}
