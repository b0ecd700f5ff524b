// Fills in fields of responses that some servers leave out or send as null, so that components can rely on the
// generated types. Changes the parsed response in place. Fields that the console does not know stay as they are.
import type {
  AddonsResponse,
  Application,
  ApplicationsResponse,
  ContextField,
  EventsResponse,
  FeatureTypesResponse,
  ProjectsResponse,
  StrategiesResponse,
  Strategy,
  TagsResponse,
  TagTypesResponse,
  Toggle,
  Variant,
} from './generated/types';

/** The list, or an empty one instead of null, an absent field or anything else. */
function listOf<Item>(value: readonly Item[] | undefined): Item[] {
  return Array.isArray(value) ? value : [];
}

/** Removes optional fields that are null. */
function removeNulls<Thing extends object>(thing: Partial<Thing>, ...fields: readonly (keyof Thing)[]): void {
  for (const field of fields) if (thing[field] === null) delete thing[field];
}

function normaliseStrategy(strategy: Strategy): void {
  removeNulls(strategy, 'parameters');
  for (const constraint of strategy.constraints ?? []) removeNulls(constraint, 'values');
}

function normaliseVariant(variant: Variant): void {
  removeNulls(variant, 'stickiness', 'payload', 'overrides');
  for (const override of variant.overrides ?? []) override.values = listOf(override.values);
}

export function normaliseToggle(toggle: Toggle): void {
  toggle.strategies = listOf(toggle.strategies);
  toggle.strategies.forEach(normaliseStrategy);
  toggle.variants?.forEach(normaliseVariant);
}

export function normaliseToggles(answer: { features: Toggle[] }): void {
  answer.features = listOf(answer.features);
  answer.features.forEach(normaliseToggle);
}

export function normaliseFeatureTypes(answer: FeatureTypesResponse): void {
  answer.types = listOf(answer.types);
}

export function normaliseTags(answer: TagsResponse): void {
  answer.tags = listOf(answer.tags);
}

export function normaliseTagTypes(answer: TagTypesResponse): void {
  answer.tagTypes = listOf(answer.tagTypes);
}

export function normaliseProjects(answer: ProjectsResponse): void {
  answer.projects = listOf(answer.projects);
}

export function normaliseContext(fields: ContextField[]): void {
  for (const field of fields) removeNulls(field, 'legalValues', 'stickiness');
}

export function normaliseStrategies(answer: StrategiesResponse): void {
  answer.strategies = listOf(answer.strategies);
  for (const strategy of answer.strategies) strategy.parameters = listOf(strategy.parameters);
}

export function normaliseApplications(answer: ApplicationsResponse): void {
  answer.applications = listOf(answer.applications);
  for (const application of answer.applications) application.strategies = listOf(application.strategies);
}

export function normaliseApplication(application: Application): void {
  application.strategies = listOf(application.strategies);
  application.instances = listOf(application.instances);
  application.seenToggles = listOf(application.seenToggles);
}

export function normaliseEvents(answer: Pick<EventsResponse, 'events'>): void {
  answer.events = listOf(answer.events);
  for (const event of answer.events) {
    event.createdBy ??= '';
    event.data ??= null;
    event.diffs ??= null;
    // A diff of the whole data has no path.
    for (const diff of event.diffs ?? []) diff.path ??= [];
  }
}

export function normaliseAddons(answer: AddonsResponse): void {
  answer.addons = listOf(answer.addons);
  for (const addon of answer.addons) {
    addon.parameters ??= {};
    addon.events = listOf(addon.events);
  }
  answer.providers = listOf(answer.providers);
  for (const provider of answer.providers) {
    provider.parameters = listOf(provider.parameters);
    provider.events = listOf(provider.events);
  }
}
