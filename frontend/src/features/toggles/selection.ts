// Which rows are chosen, as sets of names.

export interface Choice {
  name: string;
  checked: boolean;
  /** Extends from the row that was chosen last to this one. */
  range: boolean;
}

/** `names` in the order of the rows; `last` is the row that was chosen before, if it is still there. */
export function choose(
  chosen: ReadonlySet<string>,
  names: readonly string[],
  { name, checked, range }: Choice,
  last: string | undefined,
): Set<string> {
  const next = new Set(chosen);
  const [from, to] = [last === undefined ? -1 : names.indexOf(last), names.indexOf(name)];
  const among = range && from >= 0 && to >= 0 ? names.slice(Math.min(from, to), Math.max(from, to) + 1) : [name];
  for (const one of among) {
    if (checked) next.add(one);
    else next.delete(one);
  }
  return next;
}
