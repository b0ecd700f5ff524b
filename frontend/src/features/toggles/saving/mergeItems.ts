// Three-way merge of lists: merges each item, and takes the order of the side that changed it.
import { jsonEqual } from '@/lib/json';

export interface MergeItem<T> {
  /** Identifies the item in every version of the list. */
  key: string;
  value: T;
}

type Side = 'mine' | 'theirs';
type Values<T> = Record<'base' | Side, T | undefined>;

interface Rules<T> {
  /** Merges one item; undefined removes it. */
  mergeItem: (values: Values<T>, key: string) => T | undefined;
  /** Decides between the two orders of names if both sides changed the order. */
  chooseOrder: (orders: Record<'base' | Side, readonly string[]>) => Side;
  nameOf: (value: T) => string;
}

export function mergeItems<T>(
  base: readonly MergeItem<T>[],
  mine: readonly MergeItem<T>[],
  theirs: readonly MergeItem<T>[],
  { mergeItem, chooseOrder, nameOf }: Rules<T>,
): T[] {
  const find = (items: readonly MergeItem<T>[], key: string) => items.find((item) => item.key === key)?.value;
  const leader = findLeader(base, mine, theirs, (orders) => chooseOrder(mapOrders(orders, nameOf)));
  const [first, second] = leader === 'mine' ? [mine, theirs] : [theirs, mine];
  return interleave(keysOf(first), keysOf(second)).flatMap((key) => {
    const value = mergeItem({ base: find(base, key), mine: find(mine, key), theirs: find(theirs, key) }, key);
    return value === undefined ? [] : [value];
  });
}

function keysOf(items: readonly MergeItem<unknown>[]): string[] {
  return items.map(({ key }) => key);
}

type Orders<T> = Record<'base' | Side, readonly MergeItem<T>[]>;

function mapOrders<T>({ base, mine, theirs }: Orders<T>, nameOf: (value: T) => string) {
  const names = (items: readonly MergeItem<T>[]) => items.map(({ value }) => nameOf(value));
  return { base: names(base), mine: names(mine), theirs: names(theirs) };
}

/** Returns the side that changed the order of the common items. */
function findLeader<T>(
  base: readonly MergeItem<T>[],
  mine: readonly MergeItem<T>[],
  theirs: readonly MergeItem<T>[],
  ask: (orders: Orders<T>) => Side,
): Side {
  const everywhere = (key: string) => [base, mine, theirs].every((items) => items.some((item) => item.key === key));
  const common = (items: readonly MergeItem<T>[]) => items.filter(({ key }) => everywhere(key));
  const [b, m, t] = [common(base), common(mine), common(theirs)];
  const moved = (items: readonly MergeItem<T>[]) => !jsonEqual(keysOf(items), keysOf(b));
  if (!moved(m)) return 'theirs';
  if (!moved(t) || jsonEqual(keysOf(m), keysOf(t))) return 'mine';
  return ask({ base: b, mine: m, theirs: t });
}

/** Returns the first list, with the additional items of the second after their predecessors there. */
function interleave(first: readonly string[], second: readonly string[]): string[] {
  const keys = [...first];
  for (const [index, key] of second.entries()) {
    if (keys.includes(key)) continue;
    const before = second[index - 1];
    keys.splice(before === undefined ? 0 : keys.indexOf(before) + 1, 0, key);
  }
  return keys;
}
