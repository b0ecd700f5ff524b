// Three-way merge of flat objects. The stored object is read again before a save, and only edited fields are replaced.
import { jsonEqual } from './json';

interface MergeResult<Thing> {
  /** The stored object with the edited fields replaced. Fields unknown to the editor are kept. */
  merged: Thing;
  /** Fields that both sides changed to different values. */
  conflicts: (keyof Thing & string)[];
}

/** Merges two edits of `base`: `mine` from the editor and `theirs` from the server. For conflicts, `mine` wins. */
export function mergeEdit<Thing extends object>(base: Thing, mine: Thing, theirs: Thing): MergeResult<Thing> {
  const merged = { ...theirs };
  const conflicts: (keyof Thing & string)[] = [];
  for (const field of Object.keys({ ...base, ...mine }) as (keyof Thing & string)[]) {
    if (fieldsEqual(base[field], mine[field])) continue;
    if (!fieldsEqual(base[field], theirs[field]) && !fieldsEqual(mine[field], theirs[field])) conflicts.push(field);
    if (mine[field] === undefined) delete merged[field];
    else merged[field] = mine[field];
  }
  return { merged, conflicts };
}

/** Compares field values. An empty form field equals a missing one. */
function fieldsEqual(a: unknown, b: unknown): boolean {
  return (isEmpty(a) && isEmpty(b)) || jsonEqual(a, b);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
