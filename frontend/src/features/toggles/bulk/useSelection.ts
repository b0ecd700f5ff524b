// Selection of rows. Bulk actions do not affect selected rows that a filter hides.
import { useCallback, useMemo, useReducer } from 'react';
import type { Toggle } from '@/api/generated/types';

export interface Selection {
  names: ReadonlySet<string>;
  /** The visible selected toggles, in row order. */
  toggles: readonly Toggle[];
  set: (choice: RowChoice) => void;
  setAll: (checked: boolean) => void;
  /** Selects further rows. */
  add: (names: readonly string[]) => void;
}

interface State {
  names: ReadonlySet<string>;
  /** The row that was selected or deselected last, where a range starts. */
  last?: string;
}

type Action = RowChoice | { all: boolean } | { added: readonly string[] };

const EMPTY: State = { names: new Set() };

/** `set`, `setAll` and `add` are stable, so that a change of the rows does not render every row again. */
export function useSelection(rows: readonly Toggle[]): Selection {
  const [{ names }, dispatch] = useReducer((state: State, action: Action): State => {
    if ('added' in action) return { names: new Set([...state.names, ...action.added]) };
    const rowNames = rows.map(({ name }) => name);
    if ('all' in action) return action.all ? { names: new Set(rowNames) } : EMPTY;
    return { names: applyChoice(state.names, rowNames, action, state.last), last: action.name };
  }, EMPTY);
  const toggles = useMemo(() => (names.size === 0 ? [] : rows.filter(({ name }) => names.has(name))), [rows, names]);
  const setAll = useCallback((all: boolean) => dispatch({ all }), []);
  const add = useCallback((added: readonly string[]) => dispatch({ added }), []);
  return { names, toggles, set: dispatch, setAll, add };
}

export interface RowChoice {
  name: string;
  checked: boolean;
  /** Extend the selection from the last selected row to this one. */
  range: boolean;
}

/** Returns the new selection. `names`: names in row order; `last`: the previously selected row, if it still exists. */
export function applyChoice(
  chosen: ReadonlySet<string>,
  names: readonly string[],
  { name, checked, range }: RowChoice,
  last: string | undefined,
): Set<string> {
  const next = new Set(chosen);
  const [from, to] = [last === undefined ? -1 : names.indexOf(last), names.indexOf(name)];
  const affected = range && from >= 0 && to >= 0 ? names.slice(Math.min(from, to), Math.max(from, to) + 1) : [name];
  for (const one of affected) {
    if (checked) next.add(one);
    else next.delete(one);
  }
  return next;
}
