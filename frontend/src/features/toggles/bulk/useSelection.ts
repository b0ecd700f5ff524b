// Selection of rows. Bulk actions do not affect selected rows that a filter hides.
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { applyChoice, type RowChoice } from './selection';

const NONE: ReadonlySet<string> = new Set();

export interface Selection {
  names: ReadonlySet<string>;
  /** The visible selected toggles, in row order. */
  toggles: readonly Toggle[];
  set: (choice: RowChoice) => void;
  setAll: (checked: boolean) => void;
}

export function useSelection(rows: readonly Toggle[]): Selection {
  const [names, setNames] = useState(NONE);
  const last = useRef<string>(undefined);
  const latest = useRef(rows);
  latest.current = rows;
  const toggles = useMemo(() => (names.size === 0 ? [] : rows.filter(({ name }) => names.has(name))), [rows, names]);
  const set = useCallback((choice: RowChoice) => {
    const before = last.current;
    last.current = choice.name;
    setNames((selected) =>
      applyChoice(
        selected,
        latest.current.map(({ name }) => name),
        choice,
        before,
      ),
    );
  }, []);
  const setAll = useCallback((checked: boolean) => {
    last.current = undefined;
    setNames(checked ? new Set(latest.current.map(({ name }) => name)) : NONE);
  }, []);
  return { names, toggles, set, setAll };
}
