import type { ParameterDefinition } from '@/api/generated/types';
import { Checkbox } from '@/ui/Checkbox';
import { IconButton } from '@/ui/IconButton';
import { ChevronDownIcon, ChevronUpIcon, RemoveIcon } from '@/ui/icons';
import { SelectField } from '@/ui/SelectField';
import { TextField } from '@/ui/TextField';
import { parameterTypes } from '../definition';

interface Props {
  parameter: ParameterDefinition;
  /** Position of the row, from 0. */
  index: number;
  count: number;
  error: string | undefined;
  onChange: (parameter: ParameterDefinition) => void;
  /** Reports whether the user is typing the name. */
  onTyping: (isTyping: boolean) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

export function ParameterRow({ parameter, index, count, error, onChange, onTyping, onMove, onRemove }: Props) {
  const label = `parameter ${index + 1}`;
  // A type of a newer server is kept until another type is chosen.
  const types = [...new Set([...parameterTypes, parameter.type])];
  return (
    <fieldset
      aria-label={`Parameter ${index + 1}`}
      className="grid min-w-0 gap-4 rounded-card border border-line bg-surface p-4 shadow-card sm:grid-cols-[minmax(0,1fr)_160px]"
    >
      <TextField
        label="Parameter name"
        data-parameter-name
        autoComplete="off"
        spellCheck={false}
        value={parameter.name}
        error={error}
        onChange={(name) => {
          onTyping(true);
          onChange({ ...parameter, name });
        }}
        onBlur={() => onTyping(false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onTyping(false);
        }}
      />
      <SelectField
        label="Type"
        value={parameter.type}
        options={types.map((value) => ({ value, label: value }))}
        onChange={(type) => onChange({ ...parameter, type })}
      />
      <div className="sm:col-span-2">
        <TextField
          label="Parameter description"
          value={parameter.description ?? ''}
          onChange={(description) => onChange({ ...parameter, description })}
        />
      </div>
      <div className="flex items-center justify-between gap-3 sm:col-span-2">
        <Checkbox
          label="Required"
          checked={parameter.required}
          onChange={(required) => onChange({ ...parameter, required })}
        />
        <span className="flex">
          <IconButton
            label={`Move ${label} up`}
            icon={<ChevronUpIcon />}
            disabledReason={index === 0 ? 'This is the first parameter.' : undefined}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            label={`Move ${label} down`}
            icon={<ChevronDownIcon />}
            disabledReason={index === count - 1 ? 'This is the last parameter.' : undefined}
            onClick={() => onMove(index + 1)}
          />
          <IconButton label={`Remove ${label}`} icon={<RemoveIcon />} onClick={onRemove} />
        </span>
      </div>
    </fieldset>
  );
}
