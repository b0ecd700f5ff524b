// The words of the forms for the fields and values of a diff.
import type { PathStep } from '@/api/generated/types';
import { getOperatorLabel } from '@/domain/strategies/describeConstraint';
import { getParameterLabel } from '@/domain/strategies/strategyNames';

/** Fields whose label in the forms is not their name. */
const LABELS: ReadonlyMap<PathStep, string> = new Map([
  ['stale', 'Status'],
  ['impressionData', 'Impression data'],
  ['disabled', 'Strategy enabled'],
  ['contextName', 'Context field'],
  ['inverted', 'Invert'],
  ['caseInsensitive', 'Ignore case'],
  ['legalValues', 'Legal values'],
  ['weightType', 'Weight type'],
]);

/** Labels of one item of a list. */
const ITEM_LABELS: ReadonlyMap<PathStep, string> = new Map([
  ['strategies', 'Strategy'],
  ['constraints', 'Constraint'],
  ['segments', 'Segment'],
  ['variants', 'Variant'],
  ['overrides', 'Override'],
]);

/** The words for false and true. */
const STATES: ReadonlyMap<PathStep | undefined, readonly [string, string]> = new Map([
  ['enabled', ['off', 'on']],
  ['disabled', ['on', 'off']],
  ['stale', ['Active', 'Stale']],
]);

const WEIGHT_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['variable', 'Variable weight'],
  ['fix', 'Fixed weight'],
]);

/** Describes a path, such as `Constraint 1 › Context field`. */
export function describePath(path: readonly PathStep[]): string {
  const words = path.map((step, at) => {
    const list = ITEM_LABELS.get(path[at - 1] ?? '');
    if (typeof step === 'number') return list === undefined ? String(step + 1) : `${list} ${step + 1}`;
    const isList = ITEM_LABELS.has(step) && typeof path[at + 1] === 'number';
    return isList ? undefined : (LABELS.get(step) ?? getParameterLabel(step));
  });
  return words.filter((word) => word !== undefined).join(' › ') || 'Everything';
}

/** Describes a value of the field with this path. */
export function describeValue(value: unknown, path: readonly PathStep[]): string {
  const field = path.at(-1);
  if (value === undefined) return 'nothing';
  if (typeof value === 'boolean') return (STATES.get(field) ?? ['no', 'yes'])[value ? 1 : 0];
  if (field === 'operator' && typeof value === 'string') return getOperatorLabel({ operator: value });
  if (field === 'weightType') return WEIGHT_TYPES.get(value) ?? String(value);
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value, null, 2);
}
