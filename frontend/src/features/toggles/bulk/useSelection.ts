// Selection of rows. Bulk actions do not affect selected rows that a filter hides.
import { useCallback, useMemo, useReducer } from 'react';
import type { Toggle } from '@/api/generated/types';
import { applyChoice, type RowChoice } from './selection';

export interface Selection {
  names: ReadonlySet<string>;
  /** The visible selected toggles, in row order. */
  toggles: readonly Toggle[];
  set: (choice: RowChoice) => void;
  setAll: (checked: boolean) => void;
}

interface State {
  names: ReadonlySet<string>;
  /** The row that was selected or deselected last, where a range starts. */
  last?: string;
}

const EMPTY: State = { names: new Set() };

/** `set` and `setAll` are stable, so that a change of the rows does not render every row again. */
export function useSelection(rows: readonly Toggle[]): Selection {
  const [{ names }, dispatch] = useReducer((state: State, action: RowChoice | { all: boolean }): State => {
    const rowNames = rows.map(({ name }) => name);
    if ('all' in action) return action.all ? { names: new Set(rowNames) } : EMPTY;
    return { names: applyChoice(state.names, rowNames, action, state.last), last: action.name };
  }, EMPTY);
  const toggles = useMemo(() => (names.size === 0 ? [] : rows.filter(({ name }) => names.has(name))), [rows, names]);
  const setAll = useCallback((all: boolean) => dispatch({ all }), []);
  return { names, toggles, set: dispatch, setAll };
}
