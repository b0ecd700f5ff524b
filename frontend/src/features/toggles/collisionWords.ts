// The two sides of a collision in words.
import type { Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { describeStrategyChanges, describeVariantChanges } from '@/lib/describeChanges';
import type { Collision, Side } from './merge';

/** Every value is named: with only the first few, two sides could read alike. */
const ALL = Number.POSITIVE_INFINITY;

/** What the side changed; undefined if only the value itself shows how the two sides differ. */
export function sideWords(
  collision: Collision,
  side: Side,
  definitions: readonly StrategyDefinition[],
): readonly string[] | undefined {
  const words = changesOf(collision, side, definitions);
  const others = changesOf(collision, side === 'mine' ? 'theirs' : 'mine', definitions);
  return words?.join('\n') === others?.join('\n') ? undefined : words;
}

function changesOf(
  { kind, base, ...sides }: Collision,
  side: Side,
  definitions: readonly StrategyDefinition[],
): readonly string[] | undefined {
  const value = sides[side];
  if (value === undefined) return [kind === 'field' ? 'not set' : 'removed'];
  if (kind === 'order') return (value as string[]).map((name, index) => `${index + 1}. ${name}`);
  if (kind === 'strategy' && base)
    return describeStrategyChanges(base as Strategy, value as Strategy, definitions, ALL);
  if (kind === 'variant' && base) return variantWords([base as Variant], [value as Variant]);
  if (kind === 'variants') return variantWords(base as Variant[], value as Variant[]);
  if (typeof value === 'string') return [value === '' ? 'empty' : `“${value}”`];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return undefined;
}

function variantWords(before: readonly Variant[], after: readonly Variant[]): string[] {
  return describeVariantChanges(before, after, ALL).flatMap(({ subject, changes }) =>
    changes.map((change) => (before.length === 1 && after.length === 1 ? change : `${subject}: ${change}`)),
  );
}
