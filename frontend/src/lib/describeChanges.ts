// What changes between two versions of a toggle, in words.

import type { Constraint, Strategy, StrategyDefinition, Toggle, Variant } from '@/api/generated/types';
import { describeStrategy, operatorLabel, strategyLabel } from './describeStrategy';
import { jsonEqual } from './jsonDiff';
import { matchStrategies } from './matchStrategies';
import { isServerField, omitServerFields } from './serverFields';
import { splitList } from './splitList';

export interface ChangeGroup {
  /** What it is about: a field, a strategy, a variant. */
  subject: string;
  changes: readonly string[];
}

/** Described by functions of their own, or never changed. */
const KNOWN_APART = new Set(['name', 'strategies', 'variants']);

/** Before an added or removed value; no line breaks between the sign and the value. */
const ADDED = '+\u00a0';
const REMOVED = '−\u00a0';

/** How many values of a list are named where there is little room. */
const NAMED = 5;

/** The definitions tell which parameters are lists and percentages. */
export function describeToggleChanges(
  before: Toggle,
  after: Toggle,
  definitions: readonly StrategyDefinition[] = [],
): ChangeGroup[] {
  return [
    ...fieldChanges(before, after),
    ...strategyChanges(before.strategies, after.strategies, definitions),
    ...describeVariantChanges(before.variants ?? [], after.variants ?? []),
  ].filter(({ changes }) => changes.length > 0);
}

type Json = Record<string, unknown>;

function fieldChanges(before: Toggle, after: Toggle): ChangeGroup[] {
  const [from, to]: Json[] = [before, after];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !KNOWN_APART.has(key) && !isServerField(key),
  );
  const changes = fields.flatMap((key) => valueChange(key, from?.[key], to?.[key]));
  return [{ subject: 'Toggle', changes }];
}

function strategyChanges(
  before: readonly Strategy[],
  after: readonly Strategy[],
  definitions: readonly StrategyDefinition[],
): ChangeGroup[] {
  const origins = matchStrategies(before, after);
  const kept = origins.filter((origin) => origin !== undefined);
  const gone = before.filter((_, index) => !kept.includes(index));
  const edited = after.map((card, index): ChangeGroup => {
    const origin = origins[index];
    const old = origin === undefined ? undefined : before[origin];
    const subject = strategyLabel(after, index);
    return { subject, changes: old ? describeStrategyChanges(old, card, definitions) : [came(card)] };
  });
  const removed = gone.map((card): ChangeGroup => ({ subject: card.name, changes: [`removed${said(card)}`] }));
  const moved = kept.some((origin, index) => origin < (kept[index - 1] ?? -1));
  const order = moved ? [`now ${after.map(({ name }) => name).join(', ')}`] : [];
  return [...edited, ...removed, { subject: 'Order', changes: order }];
}

function said(card: Strategy): string {
  const summary = describeStrategy(card);
  return summary && `: ${summary}`;
}

function came(card: Strategy): string {
  return `added${said(card)}`;
}

/** What one card changes; for cards of the same strategy. Of each list, `named` added and removed values are named. */
export function describeStrategyChanges(
  before: Strategy,
  after: Strategy,
  definitions: readonly StrategyDefinition[] = [],
  named = NAMED,
): string[] {
  const { parameters: from = {} } = before;
  const { parameters: to = {} } = after;
  const parameters = definitions.find(({ name }) => name === after.name)?.parameters ?? [];
  const typeOf = (key: string) => parameters.find(({ name }) => name === key)?.type ?? usualTypes[key];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return [
    ...keys.flatMap((key) => parameterChange({ name: key, type: typeOf(key), named }, from[key] ?? '', to[key] ?? '')),
    ...constraintChanges(before.constraints ?? [], after.constraints ?? [], named),
    ...otherChanges(before, after, ['id', 'name', 'parameters', 'constraints']),
  ];
}

/** Those of the built-in strategies, which every server has. */
const usualTypes: Record<string, string> = {
  percentage: 'percentage',
  rollout: 'percentage',
  userIds: 'list',
  hostNames: 'list',
  IPs: 'list',
};

interface ParameterOptions {
  name: string;
  type: string | undefined;
  named: number;
}

function parameterChange({ name, type, named }: ParameterOptions, before: string, after: string): string[] {
  if (before === after) return [];
  if (type === 'list') return listChange(name, splitList(before), splitList(after), named);
  if (type === 'percentage') return [`${name} ${before || '0'} → ${after || '0'} %`];
  return valueChange(name, before, after);
}

/** The added and removed values of a list. */
function listChange(name: string, before: readonly string[], after: readonly string[], named: number): string[] {
  // Sets: lists of users may hold thousands.
  const [old, now] = [new Set(before), new Set(after)];
  const added = [...now].filter((entry) => !old.has(entry)).map((entry) => ADDED + entry);
  const removed = [...old].filter((entry) => !now.has(entry)).map((entry) => REMOVED + entry);
  const parts = [added, removed].filter(({ length }) => length > 0).map((entries) => firstOf(entries, named));
  return [`${name}: ${parts.join(', ') || `new order ${firstOf(after, named)}`}`];
}

function firstOf(entries: readonly string[], named: number): string {
  const more = entries.length - named;
  return entries.slice(0, named).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function constraintChanges(before: readonly Constraint[], after: readonly Constraint[], named: number): string[] {
  const gone = before.filter((one) => !after.some((other) => jsonEqual(one, other)));
  const come = after.filter((one) => !before.some((other) => jsonEqual(one, other)));
  const changed = come.flatMap((one) => {
    const at = gone.findIndex((old) => old.contextName === one.contextName && old.operator === one.operator);
    const [old] = at < 0 ? [] : gone.splice(at, 1);
    const where = `${one.contextName} ${operatorLabel(one.operator)}`;
    if (!old) return [`constraint added: ${constraintText(one)}`];
    const values = jsonEqual(old.values, one.values)
      ? []
      : listChange(where, old.values ?? [], one.values ?? [], named);
    const others = otherChanges(old, one, ['contextName', 'operator', 'values']);
    return [...values, ...others.map((change) => `${where}: ${change}`)];
  });
  return [...changed, ...gone.map((one) => `constraint removed: ${constraintText(one)}`)];
}

function constraintText({ contextName, operator, values = [] }: Constraint): string {
  return `${contextName} ${operatorLabel(operator)} ${values.join(', ')}`.trim();
}

/** As `describeStrategyChanges`, for the variants of a toggle. */
export function describeVariantChanges(
  before: readonly Variant[],
  after: readonly Variant[],
  named = NAMED,
): ChangeGroup[] {
  const edited = after.map((variant): ChangeGroup => {
    const old = before.find(({ name }) => name === variant.name);
    const subject = `Variant ${variant.name}`;
    return { subject, changes: old ? oneVariant(old, variant, named) : addedVariant(variant, named) };
  });
  const gone = before.filter(({ name }) => !after.some((variant) => variant.name === name));
  return [...edited, ...gone.map(({ name }): ChangeGroup => ({ subject: `Variant ${name}`, changes: ['removed'] }))];
}

function oneVariant(before: Variant, after: Variant, named: number): string[] {
  const weight = before.weight === after.weight ? [] : [`weight ${share(before)} → ${share(after)} %`];
  const others = otherChanges(before, after, ['name', 'weight', 'overrides']);
  return [...weight, ...others, ...overrideChanges(before.overrides ?? [], after.overrides ?? [], named)];
}

function addedVariant({ payload, overrides = [], ...variant }: Variant, named: number): string[] {
  const others = [...valueChange('payload', undefined, payload), ...overrideChanges([], overrides ?? [], named)];
  return [`added: ${share(variant)} %`, ...others];
}

type Overrides = NonNullable<Variant['overrides']>;

function overrideChanges(before: Overrides, after: Overrides, named: number): string[] {
  if (jsonEqual(before, after)) return [];
  const [old, now] = [valuesByContext(before), valuesByContext(after)];
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((contextName) => {
    const [from = [], to = []] = [old.get(contextName), now.get(contextName)];
    return jsonEqual(from, to) ? [] : listChange(`override ${contextName}`, from, to, named);
  });
  return changes.length > 0
    ? changes
    : [`overrides: new order ${after.map(({ contextName }) => contextName).join(', ')}`];
}

function valuesByContext(overrides: Overrides): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const { contextName, values: more } of overrides) {
    values.set(contextName, [...(values.get(contextName) ?? []), ...(more ?? [])]);
  }
  return values;
}

/** Weights are tenths of a percent. */
function share({ weight }: Pick<Variant, 'weight'>): number {
  return weight / 10;
}

/** What changes in things that have no words of their own. */
export function describeFieldChanges(before: object, after: object): string[] {
  return otherChanges(omitServerFields(before), omitServerFields(after), []);
}

function otherChanges(before: object, after: object, known: readonly string[]): string[] {
  const [from, to]: Json[] = [{ ...before }, { ...after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !known.includes(key));
  return keys.flatMap((key) => valueChange(key, from?.[key], to?.[key]));
}

function valueChange(name: string, before: unknown, after: unknown): string[] {
  if (jsonEqual(before ?? '', after ?? '')) return [];
  const [old, now] = [before ?? [], after ?? []];
  if (Array.isArray(old) && Array.isArray(now)) return itemsChange(name, old, now);
  if (isEmpty(before)) return [`${name} set to ${valueText(after)}`];
  if (isEmpty(after)) return [`${name} ${valueText(before)} cleared`];
  return [`${name} ${valueText(before)} → ${valueText(after)}`];
}

function itemsChange(name: string, before: readonly unknown[], after: readonly unknown[]): string[] {
  // A list that is absent is as good as empty.
  if (before.length + after.length === 0) return [];
  const [old, now] = [byName(before), byName(after)];
  const came = [...now.keys()].filter((one) => !old.has(one));
  const went = [...old.keys()].filter((one) => !now.has(one));
  const changed = [...now].filter(([one, item]) => old.has(one) && !jsonEqual(old.get(one), item));
  const parts = [
    ...came.map((one) => ADDED + one),
    ...went.map((one) => REMOVED + one),
    ...changed.map(([one]) => `${one} changed`),
  ];
  return [`${name}: ${firstOf(parts, NAMED) || `new order ${firstOf([...now.keys()], NAMED)}`}`];
}

function byName(items: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(items.map((item) => [itemName(item), item]));
}

/** What tells an item from others of its list. */
function itemName(item: unknown): string {
  if (typeof item === 'string') return item;
  const { name, contextName = name }: Json = { ...Object(item) };
  return typeof contextName === 'string' ? contextName : JSON.stringify(item);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return `“${value}”`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return JSON.stringify(value);
}
