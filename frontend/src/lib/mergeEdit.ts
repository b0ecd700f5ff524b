// Edits of flat things by several people: servers know no version, so what is stored is read again before it is
// replaced, and only what was really edited is put into it.
import { jsonDiff } from './jsonDiff';

interface Merged<Thing> {
  /** What is stored, with the edit in it. Fields that the editor does not know are kept. */
  merged: Thing;
  /** What both changed, each to something else. */
  contested: (keyof Thing & string)[];
}

/** `base` became `mine` in the editor, and `theirs` on the server meanwhile. Where both changed the same, mine is taken. */
export function mergeEdit<Thing extends object>(base: Thing, mine: Thing, theirs: Thing): Merged<Thing> {
  const merged = { ...theirs };
  const contested: (keyof Thing & string)[] = [];
  for (const field of Object.keys({ ...base, ...mine }) as (keyof Thing & string)[]) {
    if (same(base[field], mine[field])) continue;
    if (!same(base[field], theirs[field]) && !same(mine[field], theirs[field])) contested.push(field);
    if (mine[field] === undefined) delete merged[field];
    else merged[field] = mine[field];
  }
  return { merged, contested };
}

/** An empty field of a form is as good as none. */
function same(a: unknown, b: unknown): boolean {
  return (isNothing(a) && isNothing(b)) || jsonDiff(a, b).length === 0;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
