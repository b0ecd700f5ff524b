import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { TextField } from '@/ui/TextField';
import { useShowMore } from '@/ui/useShowMore';
import { type ContextFieldInput, duplicateValueError, withTypedValue } from '../rules';

interface Props {
  input: ContextFieldInput;
  onChange: (input: ContextFieldInput) => void;
}

const HELP = 'Values to choose from in constraints. Without legal values, any value is allowed.';
const COMMA = 'This is added as one value. Some flag services split values at commas.';

/** Editor of the legal values. Values may contain commas, so they are added one at a time. */
export function LegalValuesField({ input, onChange }: Props) {
  const { legalValues, legalValue } = input;
  const { shown, showMore } = useShowMore(legalValues);
  const error = duplicateValueError(legalValues, legalValue);
  // No error while typing: a longer value may begin like an existing one.
  const [isTyping, setTyping] = useState(false);
  const isAddable = error === undefined && legalValue.trim() !== '';
  const add = () => {
    if (isAddable) onChange({ ...input, legalValues: withTypedValue(input), legalValue: '' });
  };
  return (
    <div className="grid min-w-0 gap-2.5">
      <div className="flex items-start gap-2.5">
        <div className="min-w-0 flex-1">
          <TextField
            label="Legal values"
            autoComplete="off"
            placeholder="e.g. eu"
            error={isTyping ? undefined : error}
            help={legalValue.includes(',') ? COMMA : HELP}
            value={legalValue}
            onChange={(typed) => {
              setTyping(true);
              onChange({ ...input, legalValue: typed });
            }}
            onBlur={() => setTyping(false)}
            onKeyDown={(event) => {
              // Enter adds the value instead of submitting the form.
              if (event.key !== 'Enter' || legalValue === '') return;
              event.preventDefault();
              setTyping(false);
              add();
            }}
          />
        </div>
        <Button
          className="mt-6"
          disabledReason={isAddable ? undefined : (error ?? 'Enter a value first.')}
          onClick={add}
        >
          Add
        </Button>
      </div>
      {legalValues.length > 0 && (
        <ul aria-label="Added values" className="flex max-h-60 flex-wrap gap-1.5 overflow-y-auto p-0.5">
          {shown.map((value) => (
            <li key={value} className="flex min-w-0 max-w-full touch:min-h-touch touch:items-center">
              <Chip
                removeLabel={`Remove ${value}`}
                onRemove={() => onChange({ ...input, legalValues: legalValues.filter((other) => other !== value) })}
              >
                {value}
              </Chip>
            </li>
          ))}
          {showMore && <li className="flex">{showMore}</li>}
        </ul>
      )}
    </div>
  );
}
