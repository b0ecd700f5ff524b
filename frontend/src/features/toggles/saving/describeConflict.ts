// Describes the two sides of a merge conflict in plain text.
import type { Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { describeStrategyChanges, describeVariantChanges } from '@/domain/changes/describeChanges';
import type { MergeConflict, Side } from './mergeToggle';

/** No limit of listed values: truncated descriptions of the two sides could be equal. */
const ALL = Number.POSITIVE_INFINITY;

interface Options {
  definitions: readonly StrategyDefinition[];
  /** Formats numbers. */
  locale: string;
}

/** Describes the changes of one side; undefined if both descriptions are equal and only the values differ. */
export function describeConflictSide(
  conflict: MergeConflict,
  side: Side,
  options: Options,
): readonly string[] | undefined {
  const words = changesOf(conflict, side, options);
  const others = changesOf(conflict, side === 'mine' ? 'theirs' : 'mine', options);
  return words?.join('\n') === others?.join('\n') ? undefined : words;
}

function changesOf(
  { kind, base, ...sides }: MergeConflict,
  side: Side,
  { definitions, locale }: Options,
): readonly string[] | undefined {
  const value = sides[side];
  if (value === undefined) return [kind === 'field' ? 'not set' : 'removed'];
  if (kind === 'order') return (value as string[]).map((name, index) => `${index + 1}. ${name}`);
  if (kind === 'strategy' && base)
    return describeStrategyChanges(base as Strategy, value as Strategy, definitions, ALL);
  if (kind === 'variant' && base) return variantWords([base as Variant], [value as Variant], locale);
  if (kind === 'variants') return variantWords(base as Variant[], value as Variant[], locale);
  if (typeof value === 'string') return [value === '' ? 'empty' : `“${value}”`];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return undefined;
}

function variantWords(before: readonly Variant[], after: readonly Variant[], locale: string): string[] {
  return describeVariantChanges(before, after, { maxValues: ALL, locale }).flatMap(({ subject, changes }) =>
    changes.map((change) => (before.length === 1 && after.length === 1 ? change : `${subject}: ${change}`)),
  );
}
