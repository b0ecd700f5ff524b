// Describes the changes between two versions of a toggle in plain text.
import type { Constraint, Strategy, StrategyDefinition, Toggle, Variant } from '@/api/generated/types';
import { describeConstraint, getOperatorLabel } from '@/domain/strategies/describeConstraint';
import { matchStrategies } from '@/domain/strategies/matchStrategies';
import { describeRule } from '@/domain/strategies/ruleSentence';
import { getScheduleEnd } from '@/domain/strategies/schedule';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { formatTag } from '@/domain/tags/tags';
import { formatNumber, formatPercentage, LANGUAGE, withPercentSign } from '@/lib/format';
import { isJsonObject, isUnset, isUnsetOrEmpty, jsonEqual } from '@/lib/json';
import { joinFirst, splitList } from '@/lib/text';
import { isServerField, omitServerFields } from './serverFields';

export interface ChangeGroup {
  /** The changed part, such as a strategy or a variant. */
  subject: string;
  changes: readonly string[];
}

/** Fields that never change or have their own function. */
const HANDLED_SEPARATELY = new Set(['name', 'strategies', 'variants']);

/** Prefixes of added and removed values, with a no-break space. */
const ADDED = '+\u00a0';
const REMOVED = '−\u00a0';

/** Number of list values shown before "and n more". */
const MAX_VALUES = 5;

export interface ChangeOptions {
  /** They identify list and percentage parameters. */
  definitions?: readonly StrategyDefinition[] | undefined;
  /** Formats numbers. */
  locale?: string | undefined;
  /** Default: the id. */
  segmentName?: SegmentName | undefined;
}

/** Returns the changes by subject. */
export function describeToggleChanges(
  before: Toggle,
  after: Toggle,
  { definitions = [], locale = LANGUAGE, segmentName }: ChangeOptions = {},
): ChangeGroup[] {
  return [
    ...fieldChanges(before, after),
    ...strategyChanges(before, after, { definitions, segmentName }),
    ...describeVariantChanges(before.variants ?? [], after.variants ?? [], { locale }),
  ].filter(({ changes }) => changes.length > 0);
}

type Json = Record<string, unknown>;

function fieldChanges(before: Toggle, after: Toggle): ChangeGroup[] {
  const [from, to]: Json[] = [before, after];
  const fields = keysOf(before, after).filter((key) => !HANDLED_SEPARATELY.has(key) && !isServerField(key));
  const changes = fields.flatMap((key) => {
    if (key === 'enabled' && before.enabled !== after.enabled) return [after.enabled ? 'switched on' : 'switched off'];
    return valueChange(key, from?.[key], to?.[key]);
  });
  return [{ subject: 'Toggle', changes }];
}

function strategyChanges(
  { strategies: before, name }: Toggle,
  { strategies: after }: Toggle,
  options: StrategyOptions,
): ChangeGroup[] {
  const { segmentName } = options;
  const describe = (strategy: Strategy) =>
    describeRule(strategy, { toggleName: name, segmentName, maxValues: MAX_VALUES });
  const origins = matchStrategies(before, after);
  const kept = origins.filter((origin) => origin !== undefined);
  const gone = before.filter((_, index) => !kept.includes(index));
  const edited = after.map((strategy, index): ChangeGroup => {
    const origin = origins[index];
    const old = origin === undefined ? undefined : before[origin];
    const subject = getStrategyLabel(after, index);
    return {
      subject,
      changes: old ? describeStrategyChanges(old, strategy, options) : [`added: ${describe(strategy)}`],
    };
  });
  const removed = gone.map(
    (strategy): ChangeGroup => ({ subject: strategy.name, changes: [`removed: ${describe(strategy)}`] }),
  );
  const moved = kept.some((origin, index) => origin < (kept[index - 1] ?? -1));
  const order = moved ? [`now ${after.map(({ name }) => name).join(', ')}`] : [];
  return [...edited, ...removed, { subject: 'Order', changes: order }];
}

interface StrategyOptions extends Pick<ChangeOptions, 'definitions' | 'segmentName'> {
  /** Maximum number of added and removed values of each list that are shown. */
  maxValues?: number;
}

/** Describes the changes to one strategy. */
export function describeStrategyChanges(
  before: Strategy,
  after: Strategy,
  { definitions = [], segmentName = String, maxValues = MAX_VALUES }: StrategyOptions = {},
): string[] {
  const { parameters: from = {} } = before;
  const { parameters: to = {} } = after;
  const parameters = definitions.find(({ name }) => name === after.name)?.parameters ?? [];
  const typeOf = (key: string) => parameters.find(({ name }) => name === key)?.type ?? builtInTypes[key];
  return [
    ...keysOf(from, to).flatMap((key) =>
      parameterChange({ name: key, type: typeOf(key), maxValues }, from[key] ?? '', to[key] ?? ''),
    ),
    ...constraintChanges(before.constraints ?? [], after.constraints ?? [], maxValues),
    ...segmentChanges(before.segments ?? [], after.segments ?? [], segmentName, maxValues),
    ...otherChanges(before, after, ['id', 'sortOrder', 'name', 'parameters', 'constraints', 'segments']),
  ];
}

function segmentChanges(
  before: readonly number[],
  after: readonly number[],
  segmentName: SegmentName,
  maxValues: number,
): string[] {
  if (jsonEqual(before, after)) return [];
  return listChange('segments', before.map(segmentName), after.map(segmentName), maxValues);
}

/** Parameter types of the built-in strategies. */
const builtInTypes: Record<string, string> = {
  percentage: 'percentage',
  rollout: 'percentage',
  userIds: 'list',
  hostNames: 'list',
  IPs: 'list',
};

interface ParameterOptions {
  name: string;
  type: string | undefined;
  maxValues: number;
}

function parameterChange({ name, type, maxValues }: ParameterOptions, before: string, after: string): string[] {
  if (before === after) return [];
  if (type === 'list') return listChange(name, splitList(before), splitList(after), maxValues);
  if (type === 'percentage') return [`${name} ${before || '0'} → ${withPercentSign(after || '0')}`];
  return valueChange(name, before, after);
}

/** Describes the added and removed values of a list. */
function listChange(name: string, before: readonly string[], after: readonly string[], maxValues: number): string[] {
  // Sets, because lists of users may hold thousands of values.
  const [old, now] = [new Set(before), new Set(after)];
  const added = [...now].filter((entry) => !old.has(entry)).map((entry) => ADDED + entry);
  const removed = [...old].filter((entry) => !now.has(entry)).map((entry) => REMOVED + entry);
  const parts = [added, removed].filter(({ length }) => length > 0).map((entries) => joinFirst(entries, maxValues));
  return [`${name}: ${parts.join(', ') || `new order ${joinFirst(after, maxValues)}`}`];
}

function constraintChanges(before: readonly Constraint[], after: readonly Constraint[], maxValues: number): string[] {
  const removed = before.filter((one) => !after.some((other) => jsonEqual(one, other)));
  const added = after.filter((one) => !before.some((other) => jsonEqual(one, other)));
  const changed = added.flatMap((one) => {
    const at = removed.findIndex((old) => old.contextName === one.contextName && old.operator === one.operator);
    const [old] = at < 0 ? [] : removed.splice(at, 1);
    const where = `${one.contextName} ${getOperatorLabel({ operator: one.operator })}`;
    if (old && getScheduleEnd(old) && getScheduleEnd(one))
      return [`${describeConstraint(old, maxValues)} → ${describeConstraint(one, maxValues)}`];
    if (!old) return [`constraint added: ${describeConstraint(one, maxValues)}`];
    const values = jsonEqual(old.values ?? [], one.values ?? [])
      ? []
      : listChange(where, old.values ?? [], one.values ?? [], maxValues);
    const others = otherChanges(old, one, ['contextName', 'operator', 'values']);
    return [...values, ...others.map((change) => `${where}: ${change}`)];
  });
  return [...changed, ...removed.map((one) => `constraint removed: ${describeConstraint(one, maxValues)}`)];
}

interface VariantOptions {
  /** Maximum number of values shown of each override. */
  maxValues?: number;
  /** Formats weights. */
  locale?: string;
}

/** Describes the changes to a toggle's variants. */
export function describeVariantChanges(
  before: readonly Variant[],
  after: readonly Variant[],
  { maxValues = MAX_VALUES, locale = LANGUAGE }: VariantOptions = {},
): ChangeGroup[] {
  const options = { maxValues, locale };
  const edited = after.map((variant): ChangeGroup => {
    const old = before.find(({ name }) => name === variant.name);
    const subject = `Variant ${variant.name}`;
    return { subject, changes: old ? oneVariant(old, variant, options) : addedVariant(variant, options) };
  });
  const gone = before.filter(({ name }) => !after.some((variant) => variant.name === name));
  return [...edited, ...gone.map(({ name }): ChangeGroup => ({ subject: `Variant ${name}`, changes: ['removed'] }))];
}

function oneVariant(before: Variant, after: Variant, { maxValues, locale }: Required<VariantOptions>): string[] {
  const [old, now] = [formatNumber(share(before), locale), formatPercentage(share(after), locale)];
  const weight = before.weight === after.weight ? [] : [`weight ${old} → ${now}`];
  const others = otherChanges(before, after, ['name', 'weight', 'overrides']);
  return [...weight, ...others, ...overrideChanges(before.overrides ?? [], after.overrides ?? [], maxValues)];
}

function addedVariant(
  { payload, overrides = [], ...variant }: Variant,
  { maxValues, locale }: Required<VariantOptions>,
): string[] {
  const others = [...valueChange('payload', undefined, payload), ...overrideChanges([], overrides ?? [], maxValues)];
  return [`added: ${formatPercentage(share(variant), locale)}`, ...others];
}

type Overrides = NonNullable<Variant['overrides']>;

function overrideChanges(before: Overrides, after: Overrides, maxValues: number): string[] {
  if (jsonEqual(before, after)) return [];
  const [old, now] = [valuesByContext(before), valuesByContext(after)];
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((contextName) => {
    const [from = [], to = []] = [old.get(contextName), now.get(contextName)];
    return jsonEqual(from, to) ? [] : listChange(`override ${contextName}`, from, to, maxValues);
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

/** Describes changed fields of any object. */
export function describeFieldChanges(before: object, after: object): string[] {
  return otherChanges(omitServerFields(before), omitServerFields(after), []);
}

function otherChanges(before: object, after: object, known: readonly string[]): string[] {
  const [from, to]: Json[] = [{ ...before }, { ...after }];
  const keys = keysOf(before, after).filter((key) => !known.includes(key));
  return keys.flatMap((key) => valueChange(key, from?.[key], to?.[key]));
}

/** Returns the keys of both objects. Sorted, because servers send them in different orders. */
function keysOf(before: object, after: object): string[] {
  return Object.keys({ ...before, ...after }).toSorted();
}

/** Returns whether a value means the same as a missing one. */
function isBlank(value: unknown): boolean {
  return value === false || isUnsetOrEmpty(value) || (isJsonObject(value) && Object.keys(value).length === 0);
}

function valueChange(name: string, before: unknown, after: unknown): string[] {
  if (jsonEqual(before, after) || (isBlank(before) && isBlank(after))) return [];
  const [old, now] = [before ?? [], after ?? []];
  if (Array.isArray(old) && Array.isArray(now)) return itemsChange(name, old, now);
  if (isUnset(before)) return [`${name} set to ${valueText(after)}`];
  if (isUnset(after)) return [`${name} ${valueText(before)} cleared`];
  return [`${name} ${valueText(before)} → ${valueText(after)}`];
}

function itemsChange(name: string, before: readonly unknown[], after: readonly unknown[]): string[] {
  const [old, now] = [byName(before), byName(after)];
  const added = [...now.keys()].filter((one) => !old.has(one));
  const removed = [...old.keys()].filter((one) => !now.has(one));
  const changed = [...now].filter(([one, item]) => old.has(one) && !jsonEqual(old.get(one), item));
  const parts = [
    ...added.map((one) => ADDED + one),
    ...removed.map((one) => REMOVED + one),
    ...changed.map(([one]) => `${one} changed`),
  ];
  return [`${name}: ${joinFirst(parts, MAX_VALUES) || `new order ${joinFirst([...now.keys()], MAX_VALUES)}`}`];
}

function byName(items: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(items.map((item) => [itemName(item), item]));
}

/** Returns the text that identifies an item within its list. */
function itemName(item: unknown): string {
  if (typeof item === 'string') return item;
  const { name, contextName = name, type, value }: Json = { ...Object(item) };
  if (typeof contextName === 'string') return contextName;
  return typeof type === 'string' && typeof value === 'string' ? formatTag({ type, value }) : JSON.stringify(item);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return `“${value}”`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return JSON.stringify(value);
}
