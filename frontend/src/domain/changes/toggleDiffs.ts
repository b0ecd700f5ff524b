// Differences of two versions of a toggle, grouped by subject, with paths and values for display.
import type { Diff, Strategy, Toggle, Variant } from '@/api/generated/types';
import { matchStrategies } from '@/domain/strategies/matchStrategies';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { formatPercentage } from '@/lib/format';
import { isJsonObject } from '@/lib/json';
import { toSides } from './diffSides';
import { jsonDiff } from './jsonDiff';
import { omitServerFields } from './serverFields';

export interface DiffGroup {
  /** The changed part, such as a strategy or a variant. */
  subject: string;
  /** Set if the whole part was added or removed. */
  status?: 'added' | 'removed';
  diffs: readonly Diff[];
}

export interface DiffOptions {
  /** Formats the weights of variants. */
  locale: string;
  segmentName: SegmentName;
}

type Parts = Pick<Toggle, 'strategies' | 'variants'>;

/** Differences from a toggle that did not exist. */
export function diffNewToggle(after: Toggle, options: DiffOptions): DiffGroup[] {
  return diffToggles({ strategies: [], variants: [] }, after, options);
}

/** Returns the differences by subject. */
export function diffToggles(before: Parts, after: Toggle, { locale, segmentName }: DiffOptions): DiffGroup[] {
  return [
    { subject: 'Toggle', diffs: readableDiff(getFields(before), getFields(after)) },
    ...diffStrategies(before.strategies, after.strategies, segmentName),
    ...diffVariants(before.variants ?? [], after.variants ?? [], locale),
  ].filter(({ status, diffs }: DiffGroup) => status || diffs.length > 0);
}

function getFields(toggle: Parts): object {
  const { name: _, strategies: __, variants: ___, ...fields } = omitServerFields(toggle as Toggle);
  return fields;
}

function diffStrategies(
  before: readonly Strategy[],
  after: readonly Strategy[],
  segmentName: SegmentName,
): DiffGroup[] {
  const origins = matchStrategies(before, after);
  const kept = origins.filter((origin) => origin !== undefined);
  const current = after.map((strategy, index): DiffGroup => {
    const origin = origins[index];
    const old = origin === undefined ? undefined : before[origin];
    const diffs = diffStrategy(old, strategy, segmentName);
    return { subject: getStrategyLabel(after, index), ...(!old && { status: 'added' as const }), diffs };
  });
  const gone = before.filter((_, index) => !kept.includes(index));
  const removed = gone.map(
    (old): DiffGroup => ({ subject: old.name, status: 'removed', diffs: diffStrategy(old, undefined, segmentName) }),
  );
  const isReordered = kept.some((origin, index) => origin < (kept[index - 1] ?? -1));
  const names = (strategies: readonly Strategy[]) => strategies.map(({ name }) => name);
  const order = isReordered ? readableDiff({ strategies: names(before) }, { strategies: names(after) }) : [];
  return [...current, ...removed, { subject: 'Order', diffs: order }];
}

/** The ids that servers assign are not shown, and parameters are shown by their names alone. */
function diffStrategy(before: Strategy | undefined, after: Strategy | undefined, segmentName: SegmentName): Diff[] {
  const getParts = ({ id: _, name: __, segments, ...parts }: Strategy) => ({
    ...parts,
    segments: segments?.map(segmentName),
  });
  const diffs = readableDiff(before ? getParts(before) : {}, after ? getParts(after) : {});
  return diffs.map((diff) => (diff.path[0] === 'parameters' ? { ...diff, path: diff.path.slice(1) } : diff));
}

function diffVariants(before: readonly Variant[], after: readonly Variant[], locale: string): DiffGroup[] {
  /** Weights are tenths of a percent. */
  const getParts = ({ name: _, weight, ...parts }: Variant): object => ({
    weight: formatPercentage(weight / 10, locale),
    ...parts,
  });
  const current = after.map((variant): DiffGroup => {
    const old = before.find(({ name }) => name === variant.name);
    const diffs = readableDiff(old ? getParts(old) : {}, getParts(variant));
    return { subject: `Variant ${variant.name}`, ...(!old && { status: 'added' as const }), diffs };
  });
  const gone = before.filter(({ name }) => !after.some((variant) => variant.name === name));
  const removed = gone.map((old): DiffGroup => {
    return { subject: `Variant ${old.name}`, status: 'removed', diffs: readableDiff(getParts(old), {}) };
  });
  return [...current, ...removed];
}

/**
 * Compares two values like `jsonDiff`, but lists of texts as one text, and each property of an added or removed object.
 * An empty list equals an absent list.
 */
export function readableDiff(before: object, after: object): Diff[] {
  return jsonDiff(joinLists(before), joinLists(after)).flatMap(expand);
}

function expand(diff: Diff): Diff[] {
  const { path, before, after } = toSides(diff);
  const value = before && after ? undefined : (before ?? after)?.value;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [diff];
  const none = Array.isArray(value) ? [] : {};
  return jsonDiff(before ? value : none, after ? value : none, path).flatMap(expand);
}

function joinLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    return value.some((item) => typeof item === 'object') ? value.map(joinLists) : value.join(', ');
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, joinLists(item)]));
}
