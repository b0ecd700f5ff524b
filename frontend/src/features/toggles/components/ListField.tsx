import { useState } from 'react';
import { Chip } from '@/ui/Chip';
import { Field } from '@/ui/Field';
import { splitList } from '../rules';

interface Props {
  label: string;
  help?: string;
  /** Comma-separated, as on the wire. */
  value: string;
  onChange: (value: string) => void;
}

/** Entries as chips; a comma, Enter or leaving the field adds what was typed or pasted. */
export function ListField({ label, help, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const entries = splitList(value);

  function add(text: string) {
    setTyped('');
    if (text.trim() !== '') onChange(splitList(`${value},${text}`).join(','));
  }

  function type(text: string) {
    const cut = text.search(/[,\n][^,\n]*$/u);
    if (cut < 0) return setTyped(text);
    add(text.slice(0, cut));
    setTyped(text.slice(cut + 1));
  }

  return (
    <div className="sm:col-span-2">
      <Field label={label} {...(help ? { help } : {})}>
        {(input) => (
          <div className="flex min-h-control flex-wrap items-center gap-1.5 rounded-control border border-line-control bg-surface p-1.5 focus-within:outline-2 focus-within:outline-accent">
            {entries.map((entry) => (
              <Chip
                key={entry}
                removeLabel={`Remove ${entry}`}
                onRemove={() => onChange(entries.filter((other) => other !== entry).join(','))}
              >
                {entry}
              </Chip>
            ))}
            <input
              {...input}
              value={typed}
              placeholder="Add, or paste a list"
              className="min-w-40 flex-1 bg-transparent px-1 outline-none max-sm:min-h-8"
              onChange={(event) => type(event.target.value)}
              onPaste={(event) => {
                event.preventDefault();
                add(typed + event.clipboardData.getData('text'));
              }}
              onBlur={() => add(typed)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') {
                  event.preventDefault();
                  add(typed);
                }
                if (event.key === 'Backspace' && typed === '') onChange(entries.slice(0, -1).join(','));
              }}
            />
          </div>
        )}
      </Field>
    </div>
  );
}
