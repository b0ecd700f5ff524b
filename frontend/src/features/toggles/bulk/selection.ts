// Selected rows, as sets of toggle names.

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
