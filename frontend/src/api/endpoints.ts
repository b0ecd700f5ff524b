import { del, get, post, put } from './client';
import type {
  ArchiveAnswer,
  ContextField,
  ExamplesLoaded,
  FeaturesAnswer,
  FeatureTypesAnswer,
  LoggedOut,
  ProjectsAnswer,
  SeenApp,
  Settings,
  StrategiesAnswer,
  Tag,
  TagsAnswer,
  TagTypesAnswer,
  Toggle,
  ToggleDraft,
  ToggleEventsAnswer,
  ToggleMetrics,
  UiConfig,
  UserAnswer,
} from './generated/types';

// One line, one endpoint. Whatever stands in for a name is encoded: names may hold / % ? # and spaces.
const part = encodeURIComponent;

export const settings = get<Settings>('-/settings');
export const logout = post<void, LoggedOut>('-/logout');
export const loadExamples = post<void, ExamplesLoaded>('-/examples');

export const user = get<UserAnswer>('api/admin/user');
export const uiConfig = get<UiConfig>('api/admin/ui-config');

export const features = get<FeaturesAnswer>('api/admin/features');
export const feature = (name: string) => get<Toggle>(`api/admin/features/${part(name)}`);
/** Of several tags a server wants any; see `useReadAll` for all of them. */
export const featuresTagged = (tag: string) => get<FeaturesAnswer>(`api/admin/features?tag=${part(tag)}`);
export const createFeature = post<ToggleDraft, Toggle>('api/admin/features');
export const updateFeature = (name: string) => put<ToggleDraft, Toggle>(`api/admin/features/${part(name)}`);
export const validateFeature = post<{ name: string }>('api/admin/features/validate');
export const switchFeature = (name: string, on: boolean) =>
  post<void, Toggle>(`api/admin/features/${part(name)}/toggle/${on ? 'on' : 'off'}`);
export const markFeature = (name: string, stale: boolean) =>
  post<void, Toggle>(`api/admin/features/${part(name)}/stale/${stale ? 'on' : 'off'}`);
export const archiveFeature = (name: string) => del(`api/admin/features/${part(name)}`);
export const reviveFeature = (name: string) => post(`api/admin/archive/revive/${part(name)}`);
export const tagsOf = (name: string) => get<TagsAnswer>(`api/admin/features/${part(name)}/tags`);
export const tagFeature = (name: string) => post<Tag, Tag>(`api/admin/features/${part(name)}/tags`);
export const untagFeature = (name: string, { type, value }: Tag) =>
  del(`api/admin/features/${part(name)}/tags/${part(type)}/${part(value)}`);
export const eventsOf = (name: string) => get<ToggleEventsAnswer>(`api/admin/events/${part(name)}`);
export const archivedFeatures = get<ArchiveAnswer>('api/admin/archive/features');
export const featureTypes = get<FeatureTypesAnswer>('api/admin/feature-types');
export const featureMetrics = get<ToggleMetrics>('api/admin/metrics/feature-toggles');
export const seenApps = get<{ [toggleName: string]: SeenApp[] }>('api/admin/metrics/seen-apps');

export const strategies = get<StrategiesAnswer>('api/admin/strategies');
export const context = get<ContextField[]>('api/admin/context');
export const tags = get<TagsAnswer>('api/admin/tags');
export const tagTypes = get<TagTypesAnswer>('api/admin/tag-types');
export const projects = get<ProjectsAnswer>('api/admin/projects');
