// Converts variants between form input and request body. Fields unknown to the form are kept.
import type { Override, Payload, PayloadType, Variant, WeightType } from '@/api/generated/types';
import type { FieldErrors } from '@/shared/useForm';
import { distributeWeights, formatWeight, parseWeight } from './variantWeights';

/** Types that all servers accept. */
export const payloadTypes: readonly PayloadType[] = ['string', 'json', 'csv'];
export const overrideContexts: readonly string[] = ['userId', 'appName'];

interface OverrideInput {
  /** Unique key of the row. */
  readonly key: number;
  readonly override: Override;
}

export interface VariantInput {
  readonly name: string;
  readonly weightType: WeightType;
  /** Typed percentage, used for fixed weights only. */
  readonly weight: string;
  readonly payloadType: PayloadType;
  readonly payloadValue: string;
  readonly overrides: readonly OverrideInput[];
}

export function toVariantInput(variant?: Variant): VariantInput {
  return {
    name: variant?.name ?? '',
    weightType: variant?.weightType ?? 'variable',
    weight: variant ? formatWeight(variant.weight) : '',
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

/** `others` are the variants of the toggle without the one being edited. */
export function validateVariant(input: VariantInput, others: readonly Variant[]): FieldErrors<VariantInput> {
  const name = input.name.trim();
  const weight = input.weightType === 'fix' ? parseWeight(input.weight).error : undefined;
  const payload = input.payloadType === 'json' ? jsonError(input.payloadValue) : undefined;
  const empty = input.overrides.some(({ override }) => override.values.length === 0);
  return {
    ...(name === '' && { name: 'Name is required' }),
    ...(others.some((other) => other.name === name) && { name: `A variant named ${name} already exists.` }),
    ...(weight && { weight }),
    ...(payload && { payloadValue: payload }),
    ...(empty && { overrides: 'Add a value, or remove the override.' }),
  };
}

/** Returns why the text is not valid JSON. Empty text means no payload. */
function jsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    return `Invalid JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** Formats JSON with one value per line. Invalid JSON stays unchanged. */
export function formatJson(text: string): string {
  return jsonError(text) !== undefined || text.trim() === '' ? text : JSON.stringify(JSON.parse(text), null, 2);
}

function withPayload(input: VariantInput, old: Payload | undefined): { payload?: Payload } {
  const value = input.payloadType === 'string' ? input.payloadValue : input.payloadValue.trim();
  return value === '' ? {} : { payload: { ...old, type: input.payloadType, value } };
}

/** Converts form input to a variant. A new variant gets the group's `stickiness`. */
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

/** Replaces the variant named `oldName`, or appends the variant, and redistributes the weights. */
export function putVariant(variants: readonly Variant[], variant: Variant, oldName: string | undefined): Variant[] {
  const known = variants.some(({ name }) => name === oldName);
  return distributeWeights(
    known ? variants.map((one) => (one.name === oldName ? variant : one)) : [...variants, variant],
  );
}

export function removeVariant(variants: readonly Variant[], name: string): Variant[] {
  return distributeWeights(variants.filter((one) => one.name !== name));
}

/** Returns the stickiness that all variants of a toggle share. Older variants have none, which means the default. */
export function getGroupStickiness(variants: readonly Variant[]): string {
  return variants[0]?.stickiness ?? 'default';
}
