// Input of the addon form, its validation, and its conversion to the server's format.
import type { Addon, AddonDraft, AddonParameter, AddonProvider } from '@/api/generated/types';
import { safeHref } from '@/lib/urls';

/** Servers send this instead of a secret. Sending it back keeps the stored value. */
export const MASK = '*****';

/** Documentation of addons in general. */
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
    // Some servers store numbers and booleans.
    parameters: Object.fromEntries(Object.entries(addon?.parameters ?? {}).map(([name, value]) => [name, `${value}`])),
  };
}

/** Validates the form. A new addon (`isNew`) has no stored values, so a mask is an error. */
export function addonErrors({ events, parameters }: AddonInput, provider: AddonProvider, isNew: boolean) {
  const invalid = provider.parameters.find((parameter) => addonParameterError(parameter, parameters, isNew));
  return {
    events: events.length === 0 ? 'You must listen to at least one event' : undefined,
    parameters: invalid && addonParameterError(invalid, parameters, isNew),
  };
}

export function addonParameterError(
  { name, required, sensitive }: AddonParameter,
  values: AddonInput['parameters'],
  isNew: boolean,
): string | undefined {
  const value = values[name]?.trim() ?? '';
  if (required && value === '') return 'This field is required';
  if (isNew && sensitive && value === MASK) return 'Five asterisks stand for a saved value. Enter the value.';
  return undefined;
}

/** The request body. Empty parameters are omitted; unedited parameters and those that the provider does not define are kept. */
export function toAddonDraft(
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

/** Removes the mask if the user types after it, which replaces the secret. */
export function replaceMask(before: string, typed: string): string {
  return before === MASK && typed.startsWith(MASK) ? typed.slice(MASK.length) : typed;
}

/** Occurs only on a server with a journal. */
const CHECKPOINT_EVENT = 'journal-checkpoint-created';

/** Events of the provider that can occur on this server, and selected events that the provider no longer offers. */
export function eventChoices(provider: AddonProvider, { events }: AddonInput, hasJournal: boolean): string[] {
  const offered = provider.events.filter((event) => hasJournal || event !== CHECKPOINT_EVENT);
  return [...new Set([...offered, ...events])];
}

/** Finds the provider of an addon. For an unknown provider, returns one with the addon's own parameters. */
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

/** Name of the provider with the addon's id. */
export function addonName({ id, provider }: Addon, providers: readonly AddonProvider[]): string {
  return `${providers.find(({ name }) => name === provider)?.displayName ?? provider} ${id}`;
}

export function documentationHref({ documentationUrl }: AddonProvider): string {
  return safeHref(documentationUrl) ?? DEFAULT_DOCUMENTATION;
}
