import { useState } from 'react';
import { cx } from '@/lib/cx';
import { findIcons } from '@/lib/iconNames';
import { iconButtonClass } from '@/ui/IconButton';
import { MaterialGlyph } from '@/ui/MaterialGlyph';
import { TextField } from '@/ui/TextField';
import { DefaultAppIcon } from './DefaultAppIcon';

/** Maximum number of icons; a longer list needs a more specific search. */
const MAX_SHOWN = 120;

interface Props {
  value: string;
  onChoose: (icon: string) => void;
}

export function IconPicker({ value, onChoose }: Props) {
  const [search, setSearch] = useState('');
  const found = findIcons(search);
  const more = found.length - MAX_SHOWN;
  return (
    <div className="grid gap-3">
      <TextField
        label="Search"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Search by name, e.g. cart"
        value={search}
        onChange={setSearch}
        // The dialog is inside the page's form: Enter must not submit it.
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
  if (search.trim() === '') return 'Frequently used icons. Search to find one of about 2,000 Material icons.';
  if (count === 0) return 'No icons match. Icon names are in English.';
  if (more > 0) return `Showing ${MAX_SHOWN} of ${count} icons. Add a word to narrow the search.`;
  return count === 1 ? '1 icon' : `${count} icons`;
}
