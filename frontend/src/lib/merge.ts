// Three-way merge of items, field by field. The stored item is read again before a save, and only edited fields are replaced.
import { isUnset, jsonEqual } from './json';

export type Side = 'mine' | 'theirs';

export interface Versions<Value> {
  /** When editing began. */
  base: Value;
  /** From the editor. */
  mine: Value;
  /** From the server. */
  theirs: Value;
}

/** A part that both sides changed differently. Undefined means removed. */
export interface MergeConflict extends Versions<unknown> {
  id: string;
  /** Label of the part. */
  subject: string;
  /** Type of the part, for its description. */
  kind: string;
}

export interface MergeResult<Item> {
  /** The merged item. Unresolved conflicts contain their version. */
  merged: Item;
  conflicts: readonly MergeConflict[];
  /** Labels of the fields that only the other user changed. */
  taken: readonly string[];
}

/** Decides a conflict. */
export type ResolveConflict = (conflict: MergeConflict) => Side;

export type MergeFunction<Item> = (
  base: Item,
  mine: Item,
  theirs: Item,
  resolve?: ResolveConflict,
) => MergeResult<Item>;

/** Merges a field that has parts of its own. */
type MergeField<Value> = (versions: Versions<Value>, ask: ResolveConflict) => Value;

/** Describes the fields of a noun. */
export interface MergeRules<Item> {
  /** Undefined for fields that the editor does not show. */
  labelOf: (field: string) => string | undefined;
  /** The fields that have parts. Another field is one value. */
  fields?: { [Field in keyof Item]?: MergeField<Item[Field]> };
  /** Fields that are never edited. */
  isReadOnly?: (field: string) => boolean;
}

/** Merges two edits of `base`. Fields that the editor does not know are kept. */
export function mergeItem<Item extends object>(
  base: Item,
  mine: Item,
  theirs: Item,
  { labelOf, fields = {}, isReadOnly = () => false }: MergeRules<Item>,
  resolve: ResolveConflict = () => 'theirs',
): MergeResult<Item> {
  const conflicts: MergeConflict[] = [];
  const taken: string[] = [];
  const ask: ResolveConflict = (conflict) => {
    conflicts.push(conflict);
    return resolve(conflict);
  };
  const merged = { ...theirs };
  for (const field of Object.keys({ ...base, ...mine }) as (keyof Item & string)[]) {
    if (isReadOnly(field)) continue;
    const merge: MergeField<Item[typeof field]> | undefined = fields[field];
    const versions = { base: base[field], mine: mine[field], theirs: theirs[field] };
    const label = labelOf(field);
    if (label && isEqual(versions.base, versions.mine) && !isEqual(versions.base, versions.theirs)) taken.push(label);
    const value = merge ? merge(versions, ask) : mergeValue(versions, { id: field, subject: label ?? field }, ask);
    if (value === undefined) delete merged[field];
    else merged[field] = value;
  }
  return { merged, conflicts, taken };
}

/** Merges an indivisible part. */
export function mergeValue<Value>(
  versions: Versions<Value>,
  part: { id: string; subject: string; kind?: string },
  ask: ResolveConflict,
): Value {
  const { base, mine, theirs } = versions;
  if (isEqual(base, mine)) return theirs;
  if (isEqual(base, theirs) || isEqual(mine, theirs)) return mine;
  return versions[ask({ kind: 'field', ...part, ...versions })];
}

/** Returns a function that merges a field that is an object key by key. The ids of its conflicts start with `prefix`. */
export function mergeKeys<Value extends object>(prefix: string, labelOf: (key: string) => string): MergeField<Value> {
  return ({ base, mine, theirs }, ask) =>
    mergeItem(base, mine, theirs, { labelOf }, (conflict) => ask({ ...conflict, id: prefix + conflict.id })).merged;
}

/** Compares values. An empty form field equals a missing one. */
function isEqual(a: unknown, b: unknown): boolean {
  return (isUnset(a) && isUnset(b)) || jsonEqual(a, b);
}
