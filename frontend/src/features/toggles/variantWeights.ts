// How the traffic is shared among variants. Weights are tenths of a percent, and whole numbers.
import type { Variant } from '@/api/generated/types';

/** All of the traffic. */
const WHOLE = 1000;

/** Variable variants get equal parts of what the fixed ones leave. Throws what is wrong with the weights, in words. */
export function shareWeights(variants: readonly Variant[]): Variant[] {
  if (variants.length === 0) return [];
  const fixed = variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);
  const variable = variants.filter((variant) => !isFixed(variant)).length;
  if (fixed > WHOLE) throw new Error('The traffic distribution total must equal 100%');
  if (variable === 0) throw new Error('There must be atleast one variable variant');
  const weight = Math.trunc((WHOLE - fixed) / variable);
  return variants.map((variant) => (isFixed(variant) ? variant : { ...variant, weight }));
}

export function isFixed({ weightType }: Pick<Variant, 'weightType'>): boolean {
  return weightType === 'fix';
}

/** What equal whole shares leave over. */
export function unassigned(variants: readonly Variant[]): number {
  return variants.length === 0 ? 0 : Math.max(0, WHOLE - variants.reduce((sum, { weight }) => sum + weight, 0));
}

type Parsed = { weight: number; error?: never } | { error: string; weight?: never };

/** A percentage as it was typed, such as `33.3` or `33,3`. What exceeds the whole is for `shareWeights` to tell. */
export function parseWeight(typed: string): Parsed {
  const text = typed.trim().replace(',', '.').replace(/%$/u, '').trim();
  if (!/^-?\d+(\.\d*)?$/u.test(text)) return { error: 'Give the weight as a number, such as 12.5.' };
  if (text.startsWith('-')) return { error: 'The weight cannot be less than 0 %.' };
  if (!/^\d+(\.\d?0*)?$/u.test(text)) return { error: 'Weights are whole tenths of a percent: one decimal at most.' };
  return { weight: Math.round(Number(text) * 10) };
}

/** Such as `33.3`: without trailing zeros, as a number is typed. */
export function weightText(weight: number): string {
  return String(weight / 10);
}
