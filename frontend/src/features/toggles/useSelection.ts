// The rows that somebody chose. Those that a filter hides are not touched by what is done to the chosen ones.
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { type Choice, choose } from './selection';

const NONE: ReadonlySet<string> = new Set();

export interface Selection {
  names: ReadonlySet<string>;
  /** The chosen rows, in their order. */
  toggles: readonly Toggle[];
  set: (choice: Choice) => void;
  setAll: (checked: boolean) => void;
}

export function useSelection(rows: readonly Toggle[]): Selection {
  const [names, setNames] = useState(NONE);
  const last = useRef<string>(undefined);
  const newest = useRef(rows);
  newest.current = rows;
  const toggles = useMemo(() => (names.size === 0 ? [] : rows.filter(({ name }) => names.has(name))), [rows, names]);
  const set = useCallback((choice: Choice) => {
    const before = last.current;
    last.current = choice.name;
    setNames((chosen) =>
      choose(
        chosen,
        newest.current.map(({ name }) => name),
        choice,
        before,
      ),
    );
  }, []);
  const setAll = useCallback((checked: boolean) => {
    last.current = undefined;
    setNames(checked ? new Set(newest.current.map(({ name }) => name)) : NONE);
  }, []);
  return { names, toggles, set, setAll };
}
