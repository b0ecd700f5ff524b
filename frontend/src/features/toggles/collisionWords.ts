// The two sides of a collision in words.
import type { Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { cardChanges, variantChanges } from '@/lib/changeWords';
import type { Collision, Side } from './merge';

/** What that side made of it; undefined where only the value itself can tell. */
export function sideWords(
  { kind, base, ...sides }: Collision,
  side: Side,
  definitions: readonly StrategyDefinition[],
): readonly string[] | undefined {
  const value = sides[side];
  if (value === undefined) return [kind === 'field' ? 'not set' : 'removed'];
  if (kind === 'order') return (value as string[]).map((name, index) => `${index + 1}. ${name}`);
  if (kind === 'strategy' && base) return cardChanges(base as Strategy, value as Strategy, definitions);
  if (kind === 'variant' && base) return variantWords([base as Variant], [value as Variant]);
  if (kind === 'variants') return variantWords(base as Variant[], value as Variant[]);
  if (typeof value === 'string') return [value === '' ? 'empty' : `“${value}”`];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return undefined;
}

function variantWords(before: readonly Variant[], after: readonly Variant[]): string[] {
  return variantChanges(before, after).flatMap(({ subject, changes }) =>
    changes.map((change) => (before.length === 1 && after.length === 1 ? change : `${subject}: ${change}`)),
  );
}
