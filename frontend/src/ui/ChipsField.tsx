import { useRef, useState } from 'react';
import { splitList } from '@/lib/text';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { Chip } from './Chip';
import { Field, type FieldText } from './Field';
import { inputClass } from './fieldClass';
import { useShowMore } from './useShowMore';

interface Props extends FieldText {
  entries: readonly string[];
  /** Values that can be added with one click. */
  suggestions?: readonly string[];
  /** Refuses text, but keeps the focus, for example until the values that are allowed are known. */
  isReadOnly?: boolean;
  onChange: (entries: string[]) => void;
}

/** Input for a list of values, shown as chips. A comma, Enter or leaving the field adds the typed text. */
export function ChipsField({ entries, suggestions = [], isReadOnly = false, onChange, ...text }: Props) {
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The form does not know about text that is not added yet.
  useLeaveGuard(typed.trim() !== '');
  const [filter, setFilter] = useState('');
  const matching =
    filter === '' ? entries : entries.filter((entry) => entry.toLowerCase().includes(filter.toLowerCase()));
  const { shown, showMore, isExpanded } = useShowMore(matching);
  const unusedSuggestions = suggestions.filter((value) => !entries.includes(value));

  function add(text: string) {
    setTyped('');
    if (text.trim() !== '') onChange([...new Set([...entries, ...splitList(text)])]);
  }

  function type(text: string) {
    const cut = text.search(/[,\n][^,\n]*$/u);
    if (cut < 0) return setTyped(text);
    add(text.slice(0, cut));
    setTyped(text.slice(cut + 1));
  }

  /** Handles a button that disappears when used. Only the keyboard focus moves to the field: phones would open a keyboard. */
  function changeByButton(next: string[]) {
    if (document.activeElement?.matches(':focus-visible')) field.current?.focus();
    onChange(next);
  }

  return (
    <Field {...text}>
      {(input) => (
        <>
          {(isExpanded || filter !== '') && (
            <input
              type="search"
              aria-label={`Filter ${text.label}`}
              placeholder={`Filter ${entries.length} values`}
              value={filter}
              onChange={({ target }) => setFilter(target.value)}
              className={inputClass}
            />
          )}
          <div className="flex max-h-60 min-h-control overflow-y-auto flex-wrap items-center gap-1.5 rounded-control border border-line-control bg-surface p-1.5 focus-within:outline-2 focus-within:outline-accent has-aria-invalid:border-danger has-disabled:border-line has-disabled:bg-line/50">
            {shown.map((entry) => (
              <Chip
                key={entry}
                removeLabel={`Remove ${entry}`}
                onRemove={() => changeByButton(entries.filter((other) => other !== entry))}
              >
                {entry}
              </Chip>
            ))}
            {filter !== '' && shown.length === 0 && (
              <span className="px-1 text-muted text-secondary">No value matches.</span>
            )}
            {showMore}
            <input
              {...input}
              ref={field}
              value={typed}
              readOnly={isReadOnly}
              autoComplete="off"
              placeholder="Add, or paste a list"
              className="min-w-40 flex-1 bg-transparent px-1 outline-none touch:min-h-8 touch:text-section"
              onChange={(event) => type(event.target.value)}
              onPaste={(event) => {
                event.preventDefault();
                if (!isReadOnly) add(typed + event.clipboardData.getData('text'));
              }}
              onBlur={() => add(typed)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') {
                  event.preventDefault();
                  add(typed);
                }
                if (event.key === 'Backspace' && typed === '' && entries.length > 0) onChange(entries.slice(0, -1));
              }}
            />
          </div>
          {unusedSuggestions.length > 0 && (
            <Suggestions values={unusedSuggestions} onPick={(value) => changeByButton([...entries, value])} />
          )}
        </>
      )}
    </Field>
  );
}

interface SuggestionsProps {
  values: readonly string[];
  onPick: (value: string) => void;
}

function Suggestions({ values, onPick }: SuggestionsProps) {
  const { shown, showMore } = useShowMore(values);
  return (
    <fieldset
      aria-label="Suggestions"
      className="flex max-h-32 min-w-0 flex-wrap gap-1.5 overflow-y-auto p-0.5 touch:max-h-40"
    >
      {shown.map((value) => (
        <button
          key={value}
          type="button"
          aria-label={`Add ${value}`}
          onClick={() => onPick(value)}
          className="inline-flex h-[22px] max-w-full items-center rounded-chip border border-line-strong border-dashed px-2 font-semibold text-label text-muted hover:bg-sunken hover:text-text touch:h-touch"
        >
          <span className="truncate">+ {value}</span>
        </button>
      ))}
      {showMore}
    </fieldset>
  );
}
