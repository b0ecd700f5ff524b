// Three-way merge of toggles: edits of different fields, strategies and variants are combined, others are conflicts.
import type { Strategy, Toggle, Variant } from '@/api/generated/types';
import { isServerField } from '@/domain/changes/serverFields';
import { isStoredVersionOf, matchStrategies } from '@/domain/strategies/matchStrategies';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { jsonEqual } from '@/lib/json';
import {
  type MergeConflict,
  type MergeFunction,
  type MergeRules,
  mergeItem,
  mergeValue,
  type ResolveConflict,
  type Side,
  type Versions,
} from '@/lib/merge';

/** Merges two edits of `base`. `resolve` decides conflicts. */
export const mergeToggle: MergeFunction<Toggle> = (base, mine, theirs, resolve) =>
  mergeItem(base, mine, theirs, RULES, resolve);

const RULES: MergeRules<Toggle> = {
  labelOf: getParameterLabel,
  fields: { strategies: mergeStrategies, variants: mergeVariants },
  isReadOnly: (field) => field === 'name' || isServerField(field),
};

function mergeStrategies({ base, mine, theirs }: Versions<Strategy[]>, ask: ResolveConflict): Strategy[] {
  const mineItems = keyed(base, mine, 'mine');
  const theirItems = matchAdded(keyed(base, theirs, 'theirs'), mineItems);
  const baseItems = base.map((value, index): MergeItem<Strategy> => ({ key: `strategy ${index}`, value }));
  return mergeItems(baseItems, mineItems, theirItems, {
    mergeItem: (values, key) => {
      const [b, m, t] = [withoutId(values.base), withoutId(values.mine), withoutId(values.theirs)];
      const subject = (values.base ?? values.mine)?.name ?? key;
      const merged = mergeValue({ base: b, mine: m, theirs: t }, { id: key, subject, kind: 'strategy' }, ask);
      return merged && withId(merged, values);
    },
    chooseOrder: (orders) => ask({ id: 'order', subject: 'Order of the strategies', kind: 'order', ...orders }),
    nameOf: ({ name }) => name,
  });
}

function keyed(base: readonly Strategy[], strategies: readonly Strategy[], by: Side): MergeItem<Strategy>[] {
  const origins = matchStrategies(base, strategies);
  return strategies.map((value, index) => {
    const origin = origins[index];
    return { key: origin === undefined ? `${by} ${index}` : `strategy ${origin}`, value };
  });
}

/** Recognises a new strategy that both sides have, for example after a lost response and a second save. */
function matchAdded(
  theirs: readonly MergeItem<Strategy>[],
  mine: readonly MergeItem<Strategy>[],
): MergeItem<Strategy>[] {
  const free = mine.filter(({ key }) => key.startsWith('mine '));
  return theirs.map((item) => {
    if (!item.key.startsWith('theirs ')) return item;
    const at = free.findIndex(({ value }) => isStoredVersionOf(value, item.value));
    const [twin] = at < 0 ? [] : free.splice(at, 1);
    return twin ? { ...item, key: twin.key } : item;
  });
}

function withoutId(strategy: Strategy | undefined): Omit<Strategy, 'id'> | undefined {
  if (!strategy) return undefined;
  const { id: _, ...rest } = strategy;
  return rest;
}

/** Merges the strategy ids assigned by the server: a side that changed the id wins over one that kept it. */
function withId(strategy: Strategy, { base, mine, theirs }: Versions<Strategy | undefined>): Strategy {
  const isUnchangedByMe = mine === undefined || base?.id === mine.id;
  const id = isUnchangedByMe && theirs ? theirs.id : mine?.id;
  return id === undefined ? strategy : { ...strategy, id };
}

function mergeVariants(versions: Versions<Variant[] | null>, ask: ResolveConflict): Variant[] {
  const [base, mine, theirs] = [versions.base ?? [], versions.mine ?? [], versions.theirs ?? []];
  const chooseAll = () =>
    ask({ id: 'variants', subject: 'Variants', kind: 'variants', base, mine, theirs }) === 'mine' ? mine : theirs;
  const weightsChanged = [mine, theirs].filter((side) => !jsonEqual(getWeights(base), getWeights(side))).length;
  if (weightsChanged === 2 && !jsonEqual(mine, theirs)) return [...chooseAll()];
  const conflicts: MergeConflict[] = [];
  const merged = variantsByName(base, mine, theirs, (conflict) => {
    conflicts.push(conflict);
    // Combining weights of one side with a variant of the other would break the sum.
    return weightsChanged > 0 ? 'theirs' : ask(conflict);
  });
  return conflicts.length > 0 && weightsChanged > 0 ? [...chooseAll()] : merged;
}

/** Returns the fields that must be consistent across all variants. */
function getWeights(variants: readonly Variant[]) {
  return variants.map(({ name, weight, weightType, stickiness }) => ({ name, weight, weightType, stickiness }));
}

function variantsByName(
  base: readonly Variant[],
  mine: readonly Variant[],
  theirs: readonly Variant[],
  ask: ResolveConflict,
) {
  const items = (variants: readonly Variant[]) =>
    variants.map((value): MergeItem<Variant> => ({ key: `variant ${value.name}`, value }));
  return mergeItems(items(base), items(mine), items(theirs), {
    mergeItem: (values, key) => {
      const subject = (values.base ?? values.mine)?.name ?? key;
      return mergeValue(values, { id: key, subject, kind: 'variant' }, ask);
    },
    chooseOrder: () => 'mine',
    nameOf: ({ name }) => name,
  });
}

// Three-way merge of lists: merges each item, and takes the order of the side that changed it.

interface MergeItem<T> {
  /** Identifies the item in every version of the list. */
  key: string;
  value: T;
}

interface ListRules<T> {
  /** Merges one item; undefined removes it. */
  mergeItem: (values: Versions<T | undefined>, key: string) => T | undefined;
  /** Decides between the two orders of names if both sides changed the order. */
  chooseOrder: (orders: Versions<readonly string[]>) => Side;
  nameOf: (value: T) => string;
}

function mergeItems<T>(
  base: readonly MergeItem<T>[],
  mine: readonly MergeItem<T>[],
  theirs: readonly MergeItem<T>[],
  { mergeItem, chooseOrder, nameOf }: ListRules<T>,
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

type Orders<T> = Versions<readonly MergeItem<T>[]>;

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
