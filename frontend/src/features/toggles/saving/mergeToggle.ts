// Three-way merge of toggles: edits of different fields, strategies and variants are combined, others are conflicts.
import type { Strategy, Toggle, Variant } from '@/api/generated/types';
import { isServerField } from '@/domain/changes/serverFields';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { isStoredVersionOf, matchStrategies } from '@/domain/strategies/matchStrategies';
import { jsonEqual } from '@/lib/json';

export type Side = 'mine' | 'theirs';

/** A part that both sides changed differently. Undefined means removed. */
export interface MergeConflict {
  id: string;
  /** Label of the part. */
  subject: string;
  kind: 'field' | 'strategy' | 'order' | 'variant' | 'variants';
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export interface MergedToggle {
  /** The merged toggle. Unresolved conflicts contain their version. */
  toggle: Toggle;
  conflicts: readonly MergeConflict[];
}

export type ResolveConflict = (conflict: MergeConflict) => Side;

/** Merges two edits of `base`. `resolve` decides conflicts. */
export function mergeToggle(
  base: Toggle,
  mine: Toggle,
  theirs: Toggle,
  resolve: ResolveConflict = () => 'theirs',
): MergedToggle {
  const conflicts: MergeConflict[] = [];
  const ask: ResolveConflict = (conflict) => {
    conflicts.push(conflict);
    return resolve(conflict);
  };
  const toggle: Toggle = {
    ...mergeFields(base, mine, theirs, ask),
    strategies: mergeStrategies(base.strategies, mine.strategies, theirs.strategies, ask),
    variants: mergeVariants(base.variants ?? [], mine.variants ?? [], theirs.variants ?? [], ask),
  };
  return { toggle, conflicts };
}

/** Fields that are never edited or are merged separately. */
const HANDLED_SEPARATELY = new Set(['name', 'strategies', 'variants']);

type Json = Record<string, unknown>;

function mergeFields(base: Toggle, mine: Toggle, theirs: Toggle, ask: ResolveConflict): Toggle {
  const merged: Json = { ...theirs };
  for (const field of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    if (HANDLED_SEPARATELY.has(field) || isServerField(field)) continue;
    const value = mergeValue(base, mine, theirs, field, (values) =>
      ask({ id: field, subject: getParameterLabel(field), kind: 'field', ...values }),
    );
    if (value === undefined) delete merged[field];
    else merged[field] = value;
  }
  return merged as Toggle;
}

interface Values {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

function mergeValue(base: Json, mine: Json, theirs: Json, field: string, ask: (values: Values) => Side): unknown {
  const values = { base: base[field], mine: mine[field], theirs: theirs[field] };
  if (jsonEqual(values.base, values.mine)) return values.theirs;
  if (jsonEqual(values.base, values.theirs) || jsonEqual(values.mine, values.theirs)) return values.mine;
  return values[ask(values)];
}

function mergeStrategies(
  base: readonly Strategy[],
  mine: readonly Strategy[],
  theirs: readonly Strategy[],
  ask: ResolveConflict,
): Strategy[] {
  const mineItems = keyed(base, mine, 'mine');
  const theirItems = matchAdded(keyed(base, theirs, 'theirs'), mineItems);
  const baseItems = base.map((value, index): MergeItem<Strategy> => ({ key: `strategy ${index}`, value }));
  return mergeItems(baseItems, mineItems, theirItems, {
    mergeItem: (values, key) => {
      const [b, m, t] = [withoutId(values.base), withoutId(values.mine), withoutId(values.theirs)];
      const merged = mergeValue({ b }, { b: m }, { b: t }, 'b', (sides) =>
        ask({ id: key, subject: (values.base ?? values.mine)?.name ?? key, kind: 'strategy', ...sides }),
      ) as Strategy | undefined;
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
function withId(strategy: Strategy, { base, mine, theirs }: Record<'base' | Side, Strategy | undefined>): Strategy {
  const isUnchangedByMe = mine === undefined || base?.id === mine.id;
  const id = isUnchangedByMe && theirs ? theirs.id : mine?.id;
  return id === undefined ? strategy : { ...strategy, id };
}

function mergeVariants(
  base: readonly Variant[],
  mine: readonly Variant[],
  theirs: readonly Variant[],
  ask: ResolveConflict,
) {
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
      return mergeValue({ v: values.base }, { v: values.mine }, { v: values.theirs }, 'v', (sides) =>
        ask({ id: key, subject, kind: 'variant', ...sides }),
      ) as Variant | undefined;
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

type ItemVersions<T> = Record<'base' | Side, T | undefined>;

interface MergeRules<T> {
  /** Merges one item; undefined removes it. */
  mergeItem: (values: ItemVersions<T>, key: string) => T | undefined;
  /** Decides between the two orders of names if both sides changed the order. */
  chooseOrder: (orders: Record<'base' | Side, readonly string[]>) => Side;
  nameOf: (value: T) => string;
}

function mergeItems<T>(
  base: readonly MergeItem<T>[],
  mine: readonly MergeItem<T>[],
  theirs: readonly MergeItem<T>[],
  { mergeItem, chooseOrder, nameOf }: MergeRules<T>,
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
