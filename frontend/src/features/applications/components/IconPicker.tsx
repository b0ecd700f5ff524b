import { useState } from 'react';
import { cx } from '@/lib/cx';
import { findIcons } from '@/lib/iconNames';
import { iconButtonClass } from '@/ui/IconButton';
import { MaterialGlyph } from '@/ui/MaterialGlyph';
import { TextField } from '@/ui/TextField';
import { DefaultAppIcon } from './DefaultAppIcon';

/** As many as somebody looks through rather than to search on. */
const MAX_SHOWN = 120;

interface Props {
  value: string;
  onChoose: (icon: string) => void;
}

/** The dialog may have opened before this was loaded, and given the focus to something else. */
const focusInput = (input: HTMLInputElement | null) => input?.focus();

export function IconPicker({ value, onChoose }: Props) {
  const [search, setSearch] = useState('');
  const found = findIcons(search);
  const more = found.length - MAX_SHOWN;
  return (
    <div className="grid gap-3">
      <TextField
        ref={focusInput}
        label="Search"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Words of its name, such as cart"
        value={search}
        onChange={setSearch}
        // Within the form of the page, which must not be sent by it.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <ul aria-label="Icons" className="flex max-h-72 flex-wrap content-start gap-1 overflow-y-auto p-1">
        {found.slice(0, MAX_SHOWN).map((name) => (
          <li key={name} className="flex">
            <button
              type="button"
              aria-label={name}
              aria-pressed={name === value}
              title={name}
              onClick={() => onChoose(name)}
              className={cx(iconButtonClass, 'aria-pressed:bg-accent-soft aria-pressed:text-accent')}
            >
              <MaterialGlyph name={name} fallback={<DefaultAppIcon />} />
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-secondary">
        {status(search, found.length, more)}
      </p>
    </div>
  );
}

function status(search: string, count: number, more: number): string {
  if (search.trim() === '') return 'These are often used. Search for one of some two thousand Material icons.';
  if (count === 0) return 'No icon has such a name. Their names are English.';
  if (more > 0) return `${count} icons, of which ${MAX_SHOWN} are shown. Another word leaves fewer.`;
  return count === 1 ? '1 icon' : `${count} icons`;
}
