// An addon as people fill it in, what is wrong with it, and as servers take it.
import type { Addon, AddonDraft, AddonParameter, AddonProvider } from '@/api/generated/types';
import { safeHref } from '@/lib/address';

/** What servers show in place of a secret; sent back, it keeps what is stored. */
export const MASK = '*****';

/** Of addons in general. */
const DEFAULT_DOCUMENTATION = 'https://docs.getunleash.io/docs/addons';

export interface AddonInput {
  enabled: boolean;
  description: string;
  events: readonly string[];
  parameters: { readonly [name: string]: string };
}

export function addonInput(addon?: Addon): AddonInput {
  return {
    enabled: addon?.enabled ?? true,
    description: addon?.description ?? '',
    events: addon?.events ?? [],
    // Some servers keep numbers and booleans as such.
    parameters: Object.fromEntries(Object.entries(addon?.parameters ?? {}).map(([name, value]) => [name, `${value}`])),
  };
}

/** `isNew`: nothing is stored yet that a mask could stand for. */
export function addonErrors({ events, parameters }: AddonInput, provider: AddonProvider, isNew: boolean) {
  const wrong = provider.parameters.find((parameter) => addonParameterError(parameter, parameters, isNew));
  return {
    events: events.length === 0 ? 'You must listen to at least one event' : undefined,
    parameters: wrong && addonParameterError(wrong, parameters, isNew),
  };
}

export function addonParameterError(
  { name, required, sensitive }: AddonParameter,
  values: AddonInput['parameters'],
  isNew: boolean,
): string | undefined {
  const value = values[name]?.trim() ?? '';
  if (required && value === '') return 'This field is required';
  if (isNew && sensitive && value === MASK) return 'Five asterisks stand for a value that is stored already. Enter it.';
  return undefined;
}

/** Parameters left empty are left out; those that the provider does not name, or that were not edited, are kept. */
export function toDraft(
  provider: string,
  { enabled, description, events, parameters }: AddonInput,
  stored: Addon['parameters'] = {},
): AddonDraft {
  const filled = Object.entries(parameters).flatMap(([name, typed]) => {
    const value = typed.trim();
    if (value === '') return [];
    return [[name, `${stored[name]}` === value ? stored[name] : value]];
  });
  return {
    provider,
    enabled,
    description: description.trim(),
    parameters: Object.fromEntries(filled),
    events: [...events],
  };
}

/** What typing into a secret makes of it: whoever types behind the mask means to replace it. */
export function replaceMask(before: string, typed: string): string {
  return before === MASK && typed.startsWith(MASK) ? typed.slice(MASK.length) : typed;
}

/** The provider's own events, and those that the addon listens to although its provider no longer offers them. */
export function eventChoices(provider: AddonProvider, { events }: AddonInput): string[] {
  return [...new Set([...provider.events, ...events])];
}

/** What the server says of the provider; where it says nothing, what the addon itself shows. */
export function findProvider(addon: Addon, providers: readonly AddonProvider[]): AddonProvider {
  const known = providers.find(({ name }) => name === addon.provider);
  if (known) return known;
  const parameters = Object.keys(addon.parameters).map((name) => ({
    name,
    displayName: name,
    type: 'text',
    required: false,
  }));
  return { name: addon.provider, displayName: addon.provider, description: '', parameters, events: [] };
}

/** What tells an addon from others of its provider. */
export function addonName({ id, provider }: Addon, providers: readonly AddonProvider[]): string {
  return `${providers.find(({ name }) => name === provider)?.displayName ?? provider} ${id}`;
}

export function documentationHref({ documentationUrl }: AddonProvider): string {
  return safeHref(documentationUrl) ?? DEFAULT_DOCUMENTATION;
}
