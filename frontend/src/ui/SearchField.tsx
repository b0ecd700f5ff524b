import { type KeyboardEvent, useEffect, useRef } from 'react';
import { cx } from '@/lib/cx';
import { isEnter, isTyping, useSingleKeys } from '@/lib/keyboard';
import { isSearchedAsText } from '@/lib/searchPattern';
import { inputClass } from './fieldClass';
import { SearchIcon } from './icons';

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (text: string) => void;
  /** Called on Enter and on blur, to apply the text without waiting for the debounce. */
  onCommit: (text: string) => void;
  /** Key that focuses the field from anywhere on the page. */
  shortcutHint?: '/';
}

/** Search box with an optional keyboard shortcut. */
export function SearchField({ label, placeholder, value, onChange, onCommit, ...rest }: SearchFieldProps) {
  const shortcutHint = useSingleKeys() ? rest.shortcutHint : undefined;
  const input = useRef<HTMLInputElement>(null);
  // Keys pressed elsewhere on the page reach only the document.
  useEffect(() => {
    if (!shortcutHint) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== shortcutHint || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [shortcutHint]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEnter(event.nativeEvent)) onCommit(value);
  };
  return (
    <div className="min-w-0 flex-1">
      <div className="relative flex items-center">
        <SearchIcon className="pointer-events-none absolute left-3 text-faint" />
        <input
          ref={input}
          type="search"
          aria-label={label}
          aria-keyshortcuts={shortcutHint}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => onCommit(value)}
          className={cx(inputClass, 'peer text-ellipsis pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden')}
        />
        {shortcutHint && value === '' && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute right-2.5 rounded-chip border border-line-strong px-1.5 font-sans text-faint text-label peer-focus:hidden max-sm:hidden"
          >
            {shortcutHint}
          </span>
        )}
      </div>
      {isSearchedAsText(value) && (
        <p role="status" className="mt-1 text-muted text-secondary">
          Look-around and back-references are not supported. This is searched as text.
        </p>
      )}
    </div>
  );
}
