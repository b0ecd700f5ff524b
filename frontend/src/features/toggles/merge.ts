// Two edits of the same toggle in one: what does not touch the same field, card or variant goes together.
import type { Strategy, Toggle, Variant } from '@/api/generated/types';
import { parameterLabel } from '@/lib/describeStrategy';
import { jsonEqual } from '@/lib/jsonDiff';
import { matchStrategies } from '@/lib/matchStrategies';
import { isServerField } from '@/lib/serverFields';
import { type Item, mergeItems } from './mergeItems';

export type Side = 'mine' | 'theirs';

/** Something that both changed, each in another way. Undefined stands for removed. */
export interface Collision {
  id: string;
  /** What it is about, in words. */
  subject: string;
  kind: 'field' | 'strategy' | 'order' | 'variant' | 'variants';
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export interface Merged {
  /** Where nothing was chosen, theirs holds. */
  toggle: Toggle;
  collisions: readonly Collision[];
}

export type Settle = (collision: Collision) => Side;

/** `settle` decides what collides. */
export function mergeToggle(base: Toggle, mine: Toggle, theirs: Toggle, settle: Settle = () => 'theirs'): Merged {
  const collisions: Collision[] = [];
  const ask: Settle = (collision) => {
    collisions.push(collision);
    return settle(collision);
  };
  const toggle: Toggle = {
    ...mergeFields(base, mine, theirs, ask),
    strategies: mergeStrategies(base.strategies, mine.strategies, theirs.strategies, ask),
    variants: mergeVariants(base.variants ?? [], mine.variants ?? [], theirs.variants ?? [], ask),
  };
  return { toggle, collisions };
}

/** Never edited, or merged piece by piece. */
const NO_FIELDS = new Set(['name', 'strategies', 'variants']);

type Json = Record<string, unknown>;

function mergeFields(base: Toggle, mine: Toggle, theirs: Toggle, ask: Settle): Toggle {
  const merged: Json = { ...theirs };
  for (const field of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    if (NO_FIELDS.has(field) || isServerField(field)) continue;
    const value = mergeValue(base, mine, theirs, field, (values) =>
      ask({ id: field, subject: parameterLabel(field), kind: 'field', ...values }),
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
  ask: Settle,
): Strategy[] {
  const mineItems = keyed(base, mine, 'mine');
  const theirItems = recognised(keyed(base, theirs, 'theirs'), mineItems);
  const baseItems = base.map((value, index): Item<Strategy> => ({ key: `card ${index}`, value }));
  return mergeItems(baseItems, mineItems, theirItems, {
    one: (values, key) => {
      const [b, m, t] = [withoutId(values.base), withoutId(values.mine), withoutId(values.theirs)];
      const merged = mergeValue({ b }, { b: m }, { b: t }, 'b', (sides) =>
        ask({ id: key, subject: (values.base ?? values.mine)?.name ?? key, kind: 'strategy', ...sides }),
      ) as Strategy | undefined;
      return merged && withId(merged, values);
    },
    order: (orders) => ask({ id: 'order', subject: 'Order of the strategies', kind: 'order', ...orders }),
    nameOf: ({ name }) => name,
  });
}

function keyed(base: readonly Strategy[], cards: readonly Strategy[], by: Side): Item<Strategy>[] {
  const origins = matchStrategies(base, cards);
  return cards.map((value, index) => {
    const origin = origins[index];
    return { key: origin === undefined ? `${by} ${index}` : `card ${origin}`, value };
  });
}

/** A new card that both hold is one card: an answer may have been lost on its way, and the same be saved once more. */
function recognised(theirs: readonly Item<Strategy>[], mine: readonly Item<Strategy>[]): Item<Strategy>[] {
  const free = mine.filter(({ key }) => key.startsWith('mine '));
  return theirs.map((item) => {
    if (!item.key.startsWith('theirs ')) return item;
    const at = free.findIndex(({ value }) => jsonEqual(withoutId(value), withoutId(item.value)));
    const [twin] = at < 0 ? [] : free.splice(at, 1);
    return twin ? { ...item, key: twin.key } : item;
  });
}

function withoutId(card: Strategy | undefined): Omit<Strategy, 'id'> | undefined {
  if (!card) return undefined;
  const { id: _, ...rest } = card;
  return rest;
}

/** The server numbers cards; whoever cleared or gave a number wins over who left it. */
function withId(card: Strategy, { base, mine, theirs }: Record<'base' | Side, Strategy | undefined>): Strategy {
  const leftByMe = mine === undefined || base?.id === mine.id;
  const id = leftByMe && theirs ? theirs.id : mine?.id;
  return id === undefined ? card : { ...card, id };
}

function mergeVariants(base: readonly Variant[], mine: readonly Variant[], theirs: readonly Variant[], ask: Settle) {
  const whole = () =>
    ask({ id: 'variants', subject: 'Variants', kind: 'variants', base, mine, theirs }) === 'mine' ? mine : theirs;
  const sharesChanged = [mine, theirs].filter((side) => !jsonEqual(shares(base), shares(side))).length;
  if (sharesChanged === 2 && !jsonEqual(mine, theirs)) return [...whole()];
  const collisions: Collision[] = [];
  const merged = variantsByName(base, mine, theirs, (collision) => {
    collisions.push(collision);
    // With the shares of one side and a variant of the other, the sum would be wrong.
    return sharesChanged > 0 ? 'theirs' : ask(collision);
  });
  return collisions.length > 0 && sharesChanged > 0 ? [...whole()] : merged;
}

/** What must fit together over all variants. */
function shares(variants: readonly Variant[]) {
  return variants.map(({ name, weight, weightType, stickiness }) => ({ name, weight, weightType, stickiness }));
}

function variantsByName(base: readonly Variant[], mine: readonly Variant[], theirs: readonly Variant[], ask: Settle) {
  const items = (variants: readonly Variant[]) =>
    variants.map((value): Item<Variant> => ({ key: `variant ${value.name}`, value }));
  return mergeItems(items(base), items(mine), items(theirs), {
    one: (values, key) => {
      const subject = (values.base ?? values.mine)?.name ?? key;
      return mergeValue({ v: values.base }, { v: values.mine }, { v: values.theirs }, 'v', (sides) =>
        ask({ id: key, subject, kind: 'variant', ...sides }),
      ) as Variant | undefined;
    },
    order: () => 'mine',
    nameOf: ({ name }) => name,
  });
}
