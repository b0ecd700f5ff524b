// A variant as it is edited, and as it goes back to the server: with everything of it that the form does not know.
import type { Override, Payload, PayloadType, Variant, WeightType } from '@/api/generated/types';
import { parseWeight, shareWeights, weightText } from './variantWeights';

export const payloadTypes: readonly PayloadType[] = ['string', 'json', 'csv'];
export const overrideContexts: readonly string[] = ['userId', 'appName'];

interface OverrideInput {
  /** Tells rows apart. */
  readonly key: number;
  readonly override: Override;
}

export interface VariantInput {
  readonly name: string;
  readonly weightType: WeightType;
  /** In percent, as typed. Counts for fixed weights. */
  readonly weight: string;
  readonly payloadType: PayloadType;
  readonly payloadValue: string;
  readonly overrides: readonly OverrideInput[];
}

export function variantInput(variant?: Variant): VariantInput {
  return {
    name: variant?.name ?? '',
    weightType: variant?.weightType ?? 'variable',
    weight: variant ? weightText(variant.weight) : '',
    payloadType: variant?.payload?.type ?? 'string',
    payloadValue: variant?.payload?.value ?? '',
    overrides: (variant?.overrides ?? []).map((override, key) => ({ key, override })),
  };
}

export function addOverride(input: VariantInput): VariantInput {
  const key = Math.max(-1, ...input.overrides.map((one) => one.key)) + 1;
  const [contextName = 'userId'] = overrideContexts;
  return { ...input, overrides: [...input.overrides, { key, override: { contextName, values: [] } }] };
}

/** What is wrong, by field. */
export interface VariantErrors {
  name?: string;
  weight?: string;
  payload?: string;
  overrides?: string;
}

/** `others` are the variants of the toggle without the one being edited. */
export function variantErrors(input: VariantInput, others: readonly Variant[]): VariantErrors {
  const name = input.name.trim();
  const weight = input.weightType === 'fix' ? parseWeight(input.weight).error : undefined;
  const payload = input.payloadType === 'json' ? jsonError(input.payloadValue) : undefined;
  const empty = input.overrides.some(({ override }) => override.values.length === 0);
  return {
    ...(name === '' && { name: 'Name is required' }),
    ...(others.some((other) => other.name === name) && { name: `There is a variant called ${name} already.` }),
    ...(weight && { weight }),
    ...(payload && { payload }),
    ...(empty && { overrides: 'Give each override a value, or remove it.' }),
  };
}

/** Nothing is no payload, and no error. */
function jsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    return `This is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** The same JSON, a value to a line; what is none stays as it is. */
export function formatJson(text: string): string {
  return jsonError(text) !== undefined || text.trim() === '' ? text : JSON.stringify(JSON.parse(text), null, 2);
}

function withPayload(input: VariantInput, old: Payload | undefined): { payload?: Payload } {
  const value = input.payloadType === 'string' ? input.payloadValue : input.payloadValue.trim();
  return value === '' ? {} : { payload: { ...old, type: input.payloadType, value } };
}

/** The variant that was typed; `stickiness` is the group's, for one that has none of its own. */
export function toVariant(input: VariantInput, old: Variant | undefined, stickiness: string): Variant {
  const { payload: before, overrides: _, ...kept } = old ?? { stickiness };
  const overrides = input.overrides.map(({ override }) => override);
  return {
    ...kept,
    name: input.name.trim(),
    weightType: input.weightType,
    weight: (input.weightType === 'fix' ? parseWeight(input.weight).weight : old?.weight) ?? 0,
    ...withPayload(input, before),
    ...((overrides.length > 0 || old?.overrides) && { overrides }),
  };
}

/** The list with that variant in the place of the one called `oldName`, or at its end; weights shared anew. */
export function putVariant(variants: readonly Variant[], variant: Variant, oldName: string | undefined): Variant[] {
  const known = variants.some(({ name }) => name === oldName);
  return shareWeights(known ? variants.map((one) => (one.name === oldName ? variant : one)) : [...variants, variant]);
}

export function removeVariant(variants: readonly Variant[], name: string): Variant[] {
  return shareWeights(variants.filter((one) => one.name !== name));
}

export function isSameInput(a: VariantInput, b: VariantInput): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The variants of a toggle stick to one thing together. Older ones say nothing, which is the default. */
export function groupStickiness(variants: readonly Variant[]): string {
  return variants[0]?.stickiness ?? 'default';
}
