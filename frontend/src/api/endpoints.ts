import { cacheUiConfig } from '@/lib/uiConfigCache';
import { del, get, post, put } from './client';
import type {
  Addon,
  AddonDraft,
  AddonsResponse,
  Application,
  ApplicationsResponse,
  ArchiveResponse,
  ContextField,
  EventsResponse,
  ExamplesLoaded,
  FeaturesResponse,
  FeatureTypesResponse,
  LoggedOut,
  Project,
  ProjectsResponse,
  SeenApp,
  Settings,
  StrategiesResponse,
  StrategyDefinition,
  Tag,
  TagsResponse,
  TagType,
  TagTypesResponse,
  Toggle,
  ToggleDraft,
  ToggleEventsResponse,
  ToggleMetrics,
  UiConfig,
  UserResponse,
} from './generated/types';
import { patch, patchCache } from './hooks';
import { storeSettings } from './settings';

// One line, one endpoint. Whatever stands in for a name is encoded: names may hold / % ? # and spaces.
const part = encodeURIComponent;

const METRICS_POLL_MS = 5000;
/** The response covers all toggles and changes slowly. */
const SEEN_APPS_POLL_MS = 30_000;

/** A strategy as it is created and replaced. */
export type StrategyDraft = Pick<StrategyDefinition, 'name' | 'description' | 'parameters'>;
/** What people add to what an application told about itself. */
export type ApplicationText = { icon: string } | { url: string } | { description: string };

export const settings = get<Settings>('-/settings', { onData: storeSettings });
export const logout = post<void, LoggedOut>('-/logout');
export const loadExamples = post<void, ExamplesLoaded>('-/examples');

export const user = get<UserResponse>('api/admin/user');
export const uiConfig = get<UiConfig>('api/admin/ui-config', {
  onData: cacheUiConfig,
  announce: 'What this console is called could not be read',
});

export const features = get<FeaturesResponse>('api/admin/features');
export const feature = (name: string) =>
  get<Toggle>(`api/admin/features/${part(name)}`, {
    pollMs: METRICS_POLL_MS,
    mayBeAbsent: true,
    // Only this field: a write of another one may be under way.
    onData: ({ lastSeenAt }) => patchCache([lastSeenPatch(name, lastSeenAt)]),
  });
/** Of several tags a server wants any; see `useReadAll` for all of them. */
export const featuresTagged = (tag: string) => get<FeaturesResponse>(`api/admin/features?tag=${part(tag)}`);
export const createFeature = post<ToggleDraft, Toggle>('api/admin/features');
export const updateFeature = (name: string) => put<ToggleDraft, Toggle>(`api/admin/features/${part(name)}`);
export const validateFeature = post<{ name: string }>('api/admin/features/validate');
export const switchFeature = (name: string, on: boolean) =>
  post<void, Toggle>(`api/admin/features/${part(name)}/toggle/${on ? 'on' : 'off'}`);
export const markFeature = (name: string, stale: boolean) =>
  post<void, Toggle>(`api/admin/features/${part(name)}/stale/${stale ? 'on' : 'off'}`);
export const archiveFeature = (name: string) => del(`api/admin/features/${part(name)}`);
export const reviveFeature = (name: string) => post(`api/admin/archive/revive/${part(name)}`);
export const tagsOf = (name: string) => get<TagsResponse>(`api/admin/features/${part(name)}/tags`);
export const tagFeature = (name: string) => post<Tag, Tag>(`api/admin/features/${part(name)}/tags`);
export const untagFeature = (name: string, { type, value }: Tag) =>
  del(`api/admin/features/${part(name)}/tags/${part(type)}/${part(value)}`);
export const eventsOf = (name: string) => get<ToggleEventsResponse>(`api/admin/events/${part(name)}`);
export const archivedFeatures = get<ArchiveResponse>('api/admin/archive/features');
export const featureTypes = get<FeatureTypesResponse>('api/admin/feature-types', {
  announce: 'The toggle types could not be read',
});
export const featureMetrics = get<ToggleMetrics>('api/admin/metrics/feature-toggles', {
  pollMs: METRICS_POLL_MS,
  announce: true,
  mayBeAbsent: true,
});
export const seenApps = get<{ [toggleName: string]: SeenApp[] }>('api/admin/metrics/seen-apps', {
  pollMs: SEEN_APPS_POLL_MS,
  mayBeAbsent: true,
});

export const applications = get<ApplicationsResponse>('api/admin/metrics/applications');
export const applicationsUsing = (strategyName: string) =>
  get<ApplicationsResponse>(`api/admin/metrics/applications?strategyName=${part(strategyName)}`);
export const application = (name: string) => get<Application>(`api/admin/metrics/applications/${part(name)}`);
/** One key a call. Servers ignore an empty value. */
export const describeApplication = (name: string) =>
  post<ApplicationText>(`api/admin/metrics/applications/${part(name)}`);
export const deleteApplication = (name: string) => del(`api/admin/metrics/applications/${part(name)}`);

export const events = get<EventsResponse>('api/admin/events');

export const strategies = get<StrategiesResponse>('api/admin/strategies', {
  announce: 'The strategies could not be read',
});
export const createStrategy = post<StrategyDraft, StrategyDefinition>('api/admin/strategies');
export const updateStrategy = (name: string) => put<StrategyDraft>(`api/admin/strategies/${part(name)}`);
export const deleteStrategy = (name: string) => del(`api/admin/strategies/${part(name)}`);
export const deprecateStrategy = (name: string) => post(`api/admin/strategies/${part(name)}/deprecate`);
export const reactivateStrategy = (name: string) => post(`api/admin/strategies/${part(name)}/reactivate`);

export const context = get<ContextField[]>('api/admin/context', { announce: 'The context fields could not be read' });
export const createContextField = post<ContextField>('api/admin/context');
export const validateContextField = post<{ name: string }>('api/admin/context/validate');
export const updateContextField = (name: string) => put<ContextField>(`api/admin/context/${part(name)}`);
export const deleteContextField = (name: string) => del(`api/admin/context/${part(name)}`);

export const projects = get<ProjectsResponse>('api/admin/projects', {
  announce: 'The projects could not be read',
  mayBeAbsent: true,
});
export const createProject = post<Project>('api/admin/projects');
export const validateProject = post<{ id: string }>('api/admin/projects/validate');
export const updateProject = (id: string) => put<Project>(`api/admin/projects/${part(id)}`);
export const deleteProject = (id: string) => del(`api/admin/projects/${part(id)}`);

export const tagTypes = get<TagTypesResponse>('api/admin/tag-types');
export const createTagType = post<TagType>('api/admin/tag-types');
export const validateTagType = post<{ name: string }>('api/admin/tag-types/validate');
export const updateTagType = (name: string) => put<TagType>(`api/admin/tag-types/${part(name)}`);
export const deleteTagType = (name: string) => del(`api/admin/tag-types/${part(name)}`);

export const tags = get<TagsResponse>('api/admin/tags');
export const createTag = post<Tag>('api/admin/tags');
export const deleteTag = ({ type, value }: Tag) => del(`api/admin/tags/${part(type)}/${part(value)}`);

export const addons = get<AddonsResponse>('api/admin/addons');
export const createAddon = post<AddonDraft, Addon>('api/admin/addons');
export const updateAddon = (id: number) => put<AddonDraft, Addon>(`api/admin/addons/${id}`);
export const deleteAddon = (id: number) => del(`api/admin/addons/${id}`);

/** Takes over when a toggle was last seen into the list of toggles. */
function lastSeenPatch(name: string, lastSeenAt: string | null) {
  return patch(features, (answer) => {
    const isNew = answer.features.some((one) => one.name === name && one.lastSeenAt !== lastSeenAt);
    const see = (one: Toggle) => (one.name === name ? { ...one, lastSeenAt } : one);
    // An unchanged response renders nothing.
    return isNew ? { ...answer, features: answer.features.map(see) } : answer;
  });
}
