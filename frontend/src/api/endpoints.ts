import { get, post } from './client';
import type {
  ArchiveAnswer,
  ContextField,
  EventsAnswer,
  FeaturesAnswer,
  FeatureTypesAnswer,
  LoggedOut,
  ProjectsAnswer,
  SeenApp,
  Settings,
  StrategiesAnswer,
  Toggle,
  ToggleEventsAnswer,
  ToggleMetrics,
  UiConfig,
  UserAnswer,
} from './generated/types';

// One line, one endpoint. Whatever stands in for a name is encoded: names may hold / % ? # and spaces.
const part = encodeURIComponent;

export const settings = get<Settings>('-/settings');
export const logout = post<void, LoggedOut>('-/logout');

export const user = get<UserAnswer>('api/admin/user');
export const uiConfig = get<UiConfig>('api/admin/ui-config');

export const features = get<FeaturesAnswer>('api/admin/features');
export const feature = (name: string) => get<Toggle>(`api/admin/features/${part(name)}`);
export const archivedFeatures = get<ArchiveAnswer>('api/admin/archive/features');
export const featureTypes = get<FeatureTypesAnswer>('api/admin/feature-types');
export const featureMetrics = get<ToggleMetrics>('api/admin/metrics/feature-toggles');
export const seenApps = get<{ [toggleName: string]: SeenApp[] }>('api/admin/metrics/seen-apps');

export const strategies = get<StrategiesAnswer>('api/admin/strategies');
export const context = get<ContextField[]>('api/admin/context');
export const projects = get<ProjectsAnswer>('api/admin/projects');
export const events = get<EventsAnswer>('api/admin/events');
export const toggleEvents = (name: string) => get<ToggleEventsAnswer>(`api/admin/events/${part(name)}`);
