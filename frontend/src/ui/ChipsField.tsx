import { Combobox } from '@base-ui/react/combobox';
import { type ClipboardEvent, type FocusEvent, type MouseEvent, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import { isComposing, isEnter } from '@/lib/keyboard';
import { splitList } from '@/lib/text';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { chipClass, chipRemoveClass } from './Chip';
import { Field, type FieldText } from './Field';
import { inputClass } from './fieldClass';
import { coverClass, highlightClass } from './highlight';
import { ChevronDownIcon, CloseIcon } from './icons';
import { useShowMore } from './useShowMore';

interface Props extends FieldText {
  entries: readonly string[];
  /** Values that the field offers in a list. Others can be typed. */
  suggestions?: readonly string[];
  /** Refuses changes, but keeps the focus, for example until the values that are allowed are known. */
  isReadOnly?: boolean;
  onChange: (entries: string[]) => void;
}

/** A list may have hundreds of suggestions. Typing finds the others. */
const MAX_SUGGESTIONS = 100;

/**
 * Input for a list of values, shown as chips. A comma, Enter or leaving the field adds the typed text, which Base UI's combobox
 * leaves to us, as it does pasted lists.
 */
export function ChipsField({ entries, suggestions = [], isReadOnly = false, onChange, ...text }: Props) {
  const [typed, setTyped] = useState('');
  // The form does not know about text that is not added yet.
  useLeaveGuard(typed.trim() !== '');
  const [filter, setFilter] = useState('');
  const [wantsList, setWantsList] = useState(false);
  const { contains } = Combobox.useFilter();
  const field = useRef<HTMLDivElement>(null);
  const matching = filter === '' ? entries : entries.filter((entry) => contains(entry, filter));
  const { shown, showMore, isExpanded } = useShowMore(matching);
  const hasList = suggestions.length > 0 && !isReadOnly;
  const isOffered = (value: string) => !entries.includes(value) && contains(value, typed.trim());
  const offered = wantsList && hasList ? suggestions.filter(isOffered) : [];
  const isOpen = offered.length > 0;

  function add(text: string) {
    if (isReadOnly) return;
    setTyped('');
    if (text.trim() !== '') onChange([...new Set([...entries, ...splitList(text)])]);
  }

  function type(text: string) {
    const end = text.lastIndexOf(',');
    if (end >= 0) add(text.slice(0, end));
    setTyped(text.slice(end + 1));
  }

  /** Adds the typed text with the pasted one at the caret, or in place of the selection. */
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    event.preventDefault();
    add(
      value.slice(0, selectionStart ?? undefined) +
        event.clipboardData.getData('text') +
        value.slice(selectionEnd ?? value.length),
    );
  }

  /** Applies a change of the values that are shown, the only ones that the combobox knows. */
  function changeShown(next: readonly string[]) {
    const [before, after] = [new Set(shown), new Set(next)];
    setTyped('');
    onChange([...new Set([...entries.filter((entry) => after.has(entry) || !before.has(entry)), ...next])]);
  }

  return (
    <Field {...text}>
      {(input) => (
        <Combobox.Root
          multiple
          readOnly={isReadOnly}
          value={shown}
          onValueChange={changeShown}
          inputValue={typed}
          // Other reasons would discard the typed text.
          onInputValueChange={(next, { reason }) => reason === 'input-change' && type(next)}
          items={offered}
          filter={null}
          limit={MAX_SUGGESTIONS}
          open={isOpen}
          onOpenChange={setWantsList}
        >
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
          <Combobox.Chips aria-label="Entries" render={<Combobox.InputGroup />} className={BOX}>
            {shown.map((entry) => (
              <Combobox.Chip key={entry} data-chip="" className={chipClass('neutral')}>
                <span className="truncate">{entry}</span>
                {!isReadOnly && (
                  <Combobox.ChipRemove
                    aria-label={`Remove ${entry}`}
                    className={chipRemoveClass}
                    onClick={(event) => {
                      // The combobox would focus the field, for which phones open a keyboard.
                      if (!isTouch(event)) return;
                      event.preventBaseUIHandler();
                      changeShown(shown.filter((other) => other !== entry));
                    }}
                  >
                    <CloseIcon size={12} strokeWidth={2} />
                  </Combobox.ChipRemove>
                )}
              </Combobox.Chip>
            ))}
            {filter !== '' && shown.length === 0 && (
              <span className="px-1 text-muted text-secondary">No value matches.</span>
            )}
            {showMore}
            <div ref={field} className="flex min-w-40 flex-1">
              <Combobox.Input
                {...input}
                {...(!hasList && PLAIN)}
                aria-description={entries.length > 0 ? 'The left arrow key moves to the values.' : undefined}
                placeholder="Add, or paste a list"
                className="min-w-0 flex-1 bg-transparent px-1 outline-none touch:min-h-8 touch:text-section"
                onPaste={paste}
                onBlur={({ currentTarget }: FocusEvent<HTMLInputElement>) => {
                  setWantsList(false);
                  add(currentTarget.value);
                }}
                onKeyDown={(event) => {
                  const { key, repeat, nativeEvent, currentTarget } = event;
                  const addsTyped = isEnter(nativeEvent) && !currentTarget.hasAttribute('aria-activedescendant');
                  // Only a visible value is removed, and none by holding the key that has emptied the field.
                  const keepsLast = key === 'Backspace' && (repeat || shown.at(-1) !== entries.at(-1));
                  // Without an open list, Escape would remove all values.
                  if (isComposing(nativeEvent) || addsTyped || keepsLast || (key === 'Escape' && !isOpen))
                    event.preventBaseUIHandler();
                  if (!addsTyped) return;
                  event.preventDefault();
                  add(typed);
                }}
              />
              {hasList && (
                <Combobox.Trigger aria-label="Show suggestions" className={TRIGGER}>
                  <ChevronDownIcon size={16} />
                </Combobox.Trigger>
              )}
            </div>
          </Combobox.Chips>
          {isOpen && (
            // Inside the landmark or the dialog of the field.
            <Combobox.Portal container={field}>
              <Combobox.Positioner align="start" sideOffset={4} className="z-50">
                {/*
                  No `Combobox.Popup`, which would hide the rest of the page, such as the chips, from assistive technology. The field
                  keeps the focus while the list is scrolled.
                */}
                {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles no click. */}
                <div className={POPUP} onMouseDown={(event) => event.preventDefault()}>
                  <Combobox.List aria-label="Suggestions">
                    {(value: string) => (
                      <div key={value} className={ITEM}>
                        <Combobox.Item value={value} className={coverClass}>
                          {value}
                        </Combobox.Item>
                      </div>
                    )}
                  </Combobox.List>
                  {offered.length > MAX_SUGGESTIONS && (
                    <p className="px-2.5 py-1.5 text-label text-muted">
                      {offered.length - MAX_SUGGESTIONS} more. Type to find them.
                    </p>
                  )}
                </div>
              </Combobox.Positioner>
            </Combobox.Portal>
          )}
        </Combobox.Root>
      )}
    </Field>
  );
}

function isTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
}

/** A field without suggestions is a text field. */
const PLAIN = {
  role: undefined,
  'aria-haspopup': undefined,
  'aria-expanded': undefined,
  'aria-autocomplete': undefined,
} as const;

const BOX = cx(
  'flex max-h-60 min-h-control overflow-y-auto flex-wrap items-center gap-1.5 rounded-control border border-line-control bg-surface p-1.5',
  'focus-within:outline-2 focus-within:outline-accent has-aria-invalid:border-danger has-disabled:border-line has-disabled:bg-line/50',
);

const TRIGGER =
  'inline-flex size-6 items-center justify-center rounded-chip text-muted hover:bg-sunken touch:size-touch';

const POPUP = cx(
  'max-h-[min(400px,var(--available-height))] w-(--anchor-width) overflow-y-auto rounded-card border border-line bg-surface p-1',
  'text-body text-text shadow-overlay outline-none',
);

const ITEM = cx(highlightClass, 'flex items-center px-2.5 py-1.5 touch:min-h-touch');
