// What changes between two versions of a toggle, in words.

import type { Constraint, Strategy, StrategyDefinition, Toggle, Variant } from '@/api/generated/types';
import { align, same } from './align';
import { splitList } from './splitList';
import { cardLabel, operatorWords, strategySummary } from './strategyWords';

export interface ChangeGroup {
  /** What it is about: a field, a strategy, a variant. */
  subject: string;
  changes: readonly string[];
}

/** What servers note down by themselves: nobody changed it. */
const NOTED = ['createdAt', 'updatedAt', 'lastSeenAt'];
const KNOWN_APART = new Set(['name', ...NOTED, 'strategies', 'variants']);

/** The definitions tell which parameters are lists and percentages. */
export function changeWords(
  before: Toggle,
  after: Toggle,
  definitions: readonly StrategyDefinition[] = [],
): ChangeGroup[] {
  return [
    ...fieldChanges(before, after),
    ...strategyChanges(before.strategies, after.strategies, definitions),
    ...variantChanges(before.variants ?? [], after.variants ?? []),
  ].filter(({ changes }) => changes.length > 0);
}

type Json = Record<string, unknown>;

function fieldChanges(before: Toggle, after: Toggle): ChangeGroup[] {
  const [from, to]: Json[] = [before, after];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !KNOWN_APART.has(key));
  const changes = fields.flatMap((key) => valueChange(key, from?.[key], to?.[key]));
  return [{ subject: 'Toggle', changes }];
}

function strategyChanges(
  before: readonly Strategy[],
  after: readonly Strategy[],
  definitions: readonly StrategyDefinition[],
): ChangeGroup[] {
  const origins = align(before, after);
  const kept = origins.filter((origin) => origin !== undefined);
  const gone = before.filter((_, index) => !kept.includes(index));
  const edited = after.map((card, index): ChangeGroup => {
    const origin = origins[index];
    const old = origin === undefined ? undefined : before[origin];
    const subject = cardLabel(after, index);
    return { subject, changes: old ? cardChanges(old, card, definitions) : [came(card)] };
  });
  const removed = gone.map((card): ChangeGroup => ({ subject: card.name, changes: [`removed${said(card)}`] }));
  const moved = kept.some((origin, index) => origin < (kept[index - 1] ?? -1));
  const order = moved ? [`now ${after.map(({ name }) => name).join(', ')}`] : [];
  return [...edited, ...removed, { subject: 'Order', changes: order }];
}

function said(card: Strategy): string {
  const summary = strategySummary(card);
  return summary && `: ${summary}`;
}

function came(card: Strategy): string {
  return `added${said(card)}`;
}

/** What one card changes; for cards of the same strategy. */
export function cardChanges(
  before: Strategy,
  after: Strategy,
  definitions: readonly StrategyDefinition[] = [],
): string[] {
  const { parameters: from = {} } = before;
  const { parameters: to = {} } = after;
  const parameters = definitions.find(({ name }) => name === after.name)?.parameters ?? [];
  const typeOf = (key: string) => parameters.find(({ name }) => name === key)?.type ?? usualTypes[key];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return [
    ...keys.flatMap((key) => parameterChange(key, typeOf(key), from[key] ?? '', to[key] ?? '')),
    ...constraintChanges(before.constraints ?? [], after.constraints ?? []),
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

function parameterChange(name: string, type: string | undefined, before: string, after: string): string[] {
  if (before === after) return [];
  if (type === 'list') return listChange(name, splitList(before), splitList(after));
  if (type === 'percentage') return [`${name} ${before || '0'} → ${after || '0'} %`];
  return valueChange(name, before, after);
}

function listChange(name: string, before: readonly string[], after: readonly string[]): string[] {
  // Sets: lists of users may hold thousands.
  const [old, now] = [new Set(before), new Set(after)];
  const came = [...now].filter((entry) => !old.has(entry)).length;
  const went = [...old].filter((entry) => !now.has(entry)).length;
  const parts = [...(came > 0 ? [`+ ${came}`] : []), ...(went > 0 ? [`− ${went}`] : [])];
  return [`${name}: ${parts.join(', ') || 'another order'}`];
}

function constraintChanges(before: readonly Constraint[], after: readonly Constraint[]): string[] {
  const gone = before.filter((one) => !after.some((other) => same(one, other)));
  const come = after.filter((one) => !before.some((other) => same(one, other)));
  const changed = come.flatMap((one) => {
    const at = gone.findIndex((old) => old.contextName === one.contextName && old.operator === one.operator);
    const [old] = at < 0 ? [] : gone.splice(at, 1);
    const where = `${one.contextName} ${operatorWords(one.operator)}`;
    return old && !same(old.values, one.values)
      ? listChange(where, old.values ?? [], one.values ?? [])
      : [`constraint added: ${constraintText(one)}`];
  });
  return [...changed, ...gone.map((one) => `constraint removed: ${constraintText(one)}`)];
}

function constraintText({ contextName, operator, values = [] }: Constraint): string {
  return `${contextName} ${operatorWords(operator)} ${values.join(', ')}`.trim();
}

export function variantChanges(before: readonly Variant[], after: readonly Variant[]): ChangeGroup[] {
  const edited = after.map((variant): ChangeGroup => {
    const old = before.find(({ name }) => name === variant.name);
    const subject = `Variant ${variant.name}`;
    return { subject, changes: old ? oneVariant(old, variant) : [`added: ${share(variant)} %`] };
  });
  const gone = before.filter(({ name }) => !after.some((variant) => variant.name === name));
  return [...edited, ...gone.map(({ name }): ChangeGroup => ({ subject: `Variant ${name}`, changes: ['removed'] }))];
}

function oneVariant(before: Variant, after: Variant): string[] {
  const weight = before.weight === after.weight ? [] : [`weight ${share(before)} → ${share(after)} %`];
  return [...weight, ...otherChanges(before, after, ['name', 'weight'])];
}

/** Weights are tenths of a percent. */
function share({ weight }: Variant): number {
  return weight / 10;
}

/** What changes in things that have no words of their own. */
export function partChanges(before: object, after: object): string[] {
  return otherChanges(before, after, NOTED);
}

function otherChanges(before: object, after: object, known: readonly string[]): string[] {
  const [from, to]: Json[] = [{ ...before }, { ...after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !known.includes(key));
  return keys.flatMap((key) => valueChange(key, from?.[key], to?.[key]));
}

function valueChange(name: string, before: unknown, after: unknown): string[] {
  if (same(before ?? '', after ?? '')) return [];
  const [old, now] = [before ?? [], after ?? []];
  if (Array.isArray(old) && Array.isArray(now)) return itemsChange(name, old, now);
  if (isEmpty(before)) return [`${name} set to ${valueText(after)}`];
  if (isEmpty(after)) return [`${name} ${valueText(before)} cleared`];
  return [`${name} ${valueText(before)} → ${valueText(after)}`];
}

const NAMED = 5;

function itemsChange(name: string, before: readonly unknown[], after: readonly unknown[]): string[] {
  // A list that is absent is as good as empty.
  if (before.length + after.length === 0) return [];
  const [old, now] = [byName(before), byName(after)];
  const came = [...now.keys()].filter((one) => !old.has(one));
  const went = [...old.keys()].filter((one) => !now.has(one));
  const changed = [...now].filter(([one, item]) => old.has(one) && !same(old.get(one), item));
  const parts = [
    ...came.map((one) => `+ ${one}`),
    ...went.map((one) => `− ${one}`),
    ...changed.map(([one]) => `${one} changed`),
  ];
  const more = parts.length - NAMED;
  return [`${name}: ${parts.slice(0, NAMED).join(', ') || 'another order'}${more > 0 ? ` and ${more} more` : ''}`];
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
