// Fills in fields of responses that some servers leave out or send as null, so that components can rely on the
// generated types. Changes the parsed response in place. Fields that the console does not know stay as they are.
import { currentCapabilities } from './capabilities';
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
  TagType,
  TagTypesResponse,
  Toggle,
  Variant,
} from './generated/types';
import type { NewerToggle } from './newerTypes';
import type { RecordedChanges, RecordedState } from './recordedTypes';

/** The list, or an empty one instead of null, an absent field or anything else. */
function listOf<Item>(value: readonly Item[] | undefined): Item[] {
  return Array.isArray(value) ? value : [];
}

/** Removes optional fields that are null. */
function removeNulls<Thing extends object>(thing: Partial<Thing>, ...fields: readonly (keyof Thing)[]): void {
  for (const field of fields) if (thing[field] === null) delete thing[field];
}

/**
 * 4.2 numbers the strategies, and each save gives them new ids. Their order is that of the list; `withPositions` restores
 * the numbers.
 */
type StoredStrategy = Strategy & { sortOrder?: number };

function normaliseStrategy(strategy: StoredStrategy): void {
  removeNulls(strategy, 'parameters');
  if (strategy.sortOrder !== undefined) {
    delete strategy.sortOrder;
    delete strategy.id;
  }
  for (const constraint of strategy.constraints ?? []) removeNulls(constraint, 'values');
}

function normaliseVariant(variant: Variant): void {
  removeNulls(variant, 'stickiness', 'payload', 'overrides');
  for (const override of variant.overrides ?? []) override.values = listOf(override.values);
}

export function normaliseToggle(toggle: NewerToggle): void {
  // The archive of 4.2 contains neither the state nor the strategies of toggles.
  if (toggle.strategies === undefined && toggle.enabled === undefined)
    Object.assign(toggle, { enabled: false, strategiesKnown: false });
  toggle.strategies = listOf(toggle.strategies);
  normaliseWrittenToggle(toggle);
}

/** The response of 4.2 to a switch has no strategies. */
export function normaliseWrittenToggle(toggle: Partial<Toggle>): void {
  removeNulls(toggle, 'strategies');
  toggle.strategies?.forEach(normaliseStrategy);
  toggle.variants?.forEach(normaliseVariant);
}

export function normaliseToggles(response: { features: Toggle[] }): void {
  response.features = listOf(response.features);
  response.features.forEach(normaliseToggle);
}

/** SDKs do not get all fields of a toggle. */
function normaliseRecordedToggle(toggle: Toggle): void {
  const absent = {
    description: '',
    type: 'release',
    project: '',
    stale: false,
    variants: [],
    createdAt: '',
    lastSeenAt: null,
  };
  Object.assign(toggle, { ...absent, ...toggle });
  normaliseToggle(toggle);
}

export function normaliseRecordedState(state: Pick<RecordedState, 'features'>): void {
  state.features.forEach(normaliseRecordedToggle);
}

export function normaliseRecordedChanges({ changes }: RecordedChanges): void {
  for (const change of changes) {
    if (change.kind !== 'toggle') continue;
    for (const toggle of [change.before, change.after]) if (toggle) normaliseRecordedToggle(toggle);
  }
}

export function normaliseFeatureTypes(response: FeatureTypesResponse): void {
  response.types = listOf(response.types);
}

export function normaliseTags(response: TagsResponse): void {
  response.tags = listOf(response.tags);
}

/** Newer servers send a colour of null, and refuse it. */
function normaliseTagType(tagType: TagType & { color?: string | null }): void {
  removeNulls(tagType, 'color');
}

export function normaliseTagTypes(response: TagTypesResponse): void {
  response.tagTypes = listOf(response.tagTypes);
  response.tagTypes.forEach(normaliseTagType);
}

export function normaliseProjects(response: ProjectsResponse): void {
  response.projects = listOf(response.projects);
}

export function normaliseContext(fields: ContextField[]): void {
  for (const field of fields) removeNulls(field, 'legalValues', 'stickiness');
}

export function normaliseStrategies(response: StrategiesResponse): void {
  response.strategies = listOf(response.strategies);
  for (const strategy of response.strategies) {
    strategy.parameters = listOf(strategy.parameters);
    // Only `false` means built-in.
    strategy.editable ??= true;
  }
}

export function normaliseApplications(response: ApplicationsResponse): void {
  response.applications = listOf(response.applications);
  for (const application of response.applications) application.strategies = listOf(application.strategies);
}

export function normaliseApplication(application: Application): void {
  application.strategies = listOf(application.strategies);
  application.instances = listOf(application.instances);
  application.seenToggles = listOf(application.seenToggles);
}

/** True for events whose differences may be those to the event of another strategy or environment. */
function hasForeignDiffs(type: string): boolean {
  return currentCapabilities().mixesEventDiffs && /^feature-(strategy|environment|metadata)-/.test(type);
}

export function normaliseEvents(response: Pick<EventsResponse, 'events'>): void {
  response.events = listOf(response.events);
  for (const event of response.events) {
    event.createdBy ??= '';
    event.data ??= null;
    event.diffs ??= null;
    if (hasForeignDiffs(event.type)) event.diffs = null;
    // A diff of the whole data has no path.
    for (const diff of event.diffs ?? []) diff.path ??= [];
  }
}

export function normaliseAddons(response: AddonsResponse): void {
  response.addons = listOf(response.addons);
  for (const addon of response.addons) {
    addon.parameters ??= {};
    addon.events = listOf(addon.events);
  }
  response.providers = listOf(response.providers);
  for (const provider of response.providers) {
    provider.parameters = listOf(provider.parameters);
    provider.events = listOf(provider.events);
  }
}
