// Variant weights: integers in tenths of a percent.
import { MAX_WEIGHT } from '@/api/generated/limits';
import type { Variant } from '@/api/generated/types';

/** Distributes the weight that fixed variants leave equally among variable ones. Throws a message for invalid weights. */
export function distributeWeights(variants: readonly Variant[]): Variant[] {
  if (variants.length === 0) return [];
  const fixed = variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);
  const variable = variants.filter((variant) => !isFixed(variant)).length;
  if (fixed > MAX_WEIGHT) throw new Error('The traffic distribution total must equal 100%');
  if (variable === 0) throw new Error('There must be atleast one variable variant');
  const weight = Math.trunc((MAX_WEIGHT - fixed) / variable);
  return variants.map((variant) => (isFixed(variant) ? variant : { ...variant, weight }));
}

export function isFixed({ weightType }: Pick<Variant, 'weightType'>): boolean {
  return weightType === 'fix';
}

/** Returns the weight left over by rounding down. */
export function getUnassignedWeight(variants: readonly Variant[]): number {
  return variants.length === 0 ? 0 : Math.max(0, MAX_WEIGHT - variants.reduce((sum, { weight }) => sum + weight, 0));
}

type Parsed = { weight: number; error?: never } | { error: string; weight?: never };

/** Parses a typed percentage such as `33.3` or `33,3`. `distributeWeights` checks the total. */
export function parseWeight(typed: string): Parsed {
  const text = typed.trim().replace(',', '.').replace(/%$/u, '').trim();
  if (!/^-?\d+(\.\d*)?$/u.test(text)) return { error: 'Enter a number, such as 12.5.' };
  if (text.startsWith('-')) return { error: 'The weight cannot be less than 0 %.' };
  if (!/^\d+(\.\d?0*)?$/u.test(text)) return { error: 'Enter at most one decimal place.' };
  return { weight: Math.round(Number(text) * 10) };
}

/** Formats a weight as the percentage in its field, such as `33.3`. It does not depend on the locale. */
export function formatWeight(weight: number): string {
  return String(weight / 10);
}
