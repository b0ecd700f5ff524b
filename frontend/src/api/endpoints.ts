import { del, type Endpoint, get, post, put, USER } from './client';
import type {
  Account,
  AccountDraft,
  AccountWithPassword,
  Addon,
  AddonDraft,
  AddonsResponse,
  ApiTokenDraft,
  ApiTokensResponse,
  Application,
  ApplicationsResponse,
  ArchiveResponse,
  ContextField,
  CreatedApiToken,
  EvaluateRequest,
  EvaluateResponse,
  EventsResponse,
  ExamplesLoaded,
  FeaturesResponse,
  FeatureTypesResponse,
  FileRequest,
  FileResponse,
  HoldDraft,
  HoldList,
  HoldPreview,
  JournalPage,
  LoggedOut,
  NewHold,
  PermissionChange,
  PlanRequest,
  PlanReview,
  Project,
  ProjectsResponse,
  Purged,
  RecorderStatus,
  ReleasedHolds,
  ReplicaSummary,
  RevokedSessions,
  SeenApp,
  Segment,
  SegmentDraft,
  SegmentsResponse,
  SegmentUsesResponse,
  SessionsResponse,
  Settings,
  StrategiesResponse,
  StrategyDefinition,
  Tag,
  TagsResponse,
  TagType,
  TagTypeResponse,
  TagTypesResponse,
  Toggle,
  ToggleDraft,
  ToggleEventsResponse,
  ToggleMetrics,
  UiConfig,
  UsageHistory,
  UserResponse,
  UserSession,
  UsersResponse,
} from './generated/types';
import {
  normaliseAddons,
  normaliseApplication,
  normaliseApplications,
  normaliseContext,
  normaliseEvents,
  normaliseFeatureTypes,
  normaliseProjects,
  normaliseRecordedChanges,
  normaliseRecordedState,
  normaliseStrategies,
  normaliseTags,
  normaliseTagTypes,
  normaliseToggle,
  normaliseToggles,
  normaliseWrittenToggle,
} from './normalise';
import type { RecordedChanges, RecordedState, SdkToggleState } from './recordedTypes';

// All endpoints of the server. Names are encoded: they may contain / % ? # and spaces.
const encode = encodeURIComponent;

/** Query that selects an environment; empty for none. */
const environmentQuery = (environment: string | null) =>
  environment === null ? '' : `?${new URLSearchParams({ environment }).toString()}`;

const METRICS_POLL_MS = 5000;
/** The response covers all toggles and changes slowly. */
const SEEN_APPS_POLL_MS = 30_000;

/** The body that creates or replaces a strategy definition. */
export type StrategyDefinitionDraft = Pick<StrategyDefinition, 'name' | 'description' | 'parameters'>;
/** One metadata field of an application, which users can edit. */
export type ApplicationMetadata = { icon: string } | { url: string } | { description: string };

export const settings = get<Settings>('-/settings');
export const replica = get<ReplicaSummary>('-/replica', { pollMs: METRICS_POLL_MS });
/** Removes the copies of toggles for SDKs. */
export const purgeReplica = del<Purged>(replica.path);
export const holds = get<HoldList>('-/holds', { pollMs: METRICS_POLL_MS });
/** The effect that a hold of the toggle would have. */
export const holdEffect = (toggle: string) => get<HoldPreview>(`-/holds/${encode(toggle)}`);
export const createHold = post<HoldDraft, NewHold>('-/holds');
export const releaseHold = (toggle: string, environment: string | null) =>
  del<ReleasedHolds>(`-/holds/${encode(toggle)}${environmentQuery(environment)}`);
/** A page of the operators' journal. The query selects lines. */
export const journal = (query: string) => get<JournalPage>(query === '' ? '-/journal' : `-/journal?${query}`);
/** Times, scopes and size of the records of the flight recorder. */
export const recorder = get<RecorderStatus>('-/recorder');
/** The toggles that SDKs got at a time. */
export const recordedState = (query: string) =>
  get<RecordedState>(`-/state?${query}`, { normalise: normaliseRecordedState });
/** The toggles that SDKs get in an environment; without one, in the first. */
export const sdkToggles = (environment: string | null) =>
  get<SdkToggleState>(`-/sdk-toggles${environmentQuery(environment)}`, { normalise: normaliseRecordedState });
/** The toggles that changed between two times. */
export const recordedChanges = (query: string) =>
  get<RecordedChanges>(`-/changes?${query}`, { normalise: normaliseRecordedChanges });
/** Users with an account of the embedded service, for administrators. */
export const users = get<UsersResponse>('api/admin/users');
export const addUser = post<AccountDraft, AccountWithPassword>(users.path);
export const removeUser = (name: string) => del<void>(`${users.path}/${encode(name)}`);
export const changePermissions = (name: string) =>
  post<PermissionChange, Account>(`${users.path}/${encode(name)}/permissions`);
/** Replaces the password by a one-time password. */
export const resetPassword = (name: string) =>
  post<void, AccountWithPassword>(`${users.path}/${encode(name)}/password`);
export const setUserDisabled = (name: string, isDisabled: boolean) =>
  post<void, Account>(`${users.path}/${encode(name)}/${isDisabled ? 'disable' : 'enable'}`);
/** Sessions of all users of the embedded service. Their last uses change every minute. */
export const sessions = get<SessionsResponse>('api/admin/sessions', { pollMs: SEEN_APPS_POLL_MS });
export const revokeSession = (id: string) => del<RevokedSessions>(`${sessions.path}/${id}`);
/** Revokes all sessions of the person of a session. */
export const revokeSessionsOf = ({ username, issuer, subject }: UserSession) => {
  const person = username !== null ? { username } : { issuer: issuer ?? '', subject: subject ?? '' };
  return del<RevokedSessions>(`${sessions.path}?${new URLSearchParams(person).toString()}`);
};
/** Makes or compares a plan. Changes nothing. */
export const reviewPlan = post<Required<PlanRequest>, PlanReview>('-/plans');
/** Writes toggles as a file. Changes nothing. */
export const writeFile = post<Required<FileRequest>, FileResponse>('-/files');
export const logout = post<void, LoggedOut>('-/logout');
export const loadExamples = post<void, ExamplesLoaded>('-/examples');

export const user = get<UserResponse>(USER);
export const uiConfig = get<UiConfig>('api/admin/ui-config', {
  failureText: 'The console’s name and links could not be loaded',
});

export const features = get<FeaturesResponse>('api/admin/features', {
  normalise: normaliseToggles,
});
/** Like `features`, for newer servers, whose list has no strategies. The first request takes seconds. */
export const featuresWithStrategies = get<FeaturesResponse>('api/admin/features?strategies=true', {
  normalise: normaliseToggles,
});
export const feature = (name: string) =>
  get<Toggle>(`api/admin/features/${encode(name)}`, {
    pollMs: METRICS_POLL_MS,
    mayBeAbsent: true,
    normalise: normaliseToggle,
    // The tag does not cover `lastSeenAt`.
    hasPartialTag: true,
  });
/** Toggles with one tag. Given several tags, servers return toggles with any of them; `useReadAll` combines one request per tag. */
export const featuresWithTag = (tag: string) =>
  get<FeaturesResponse>(`api/admin/features?tag=${encode(tag)}`, { normalise: normaliseToggles });
export const createFeature = post<ToggleDraft, Toggle>('api/admin/features', { normalise: normaliseToggle });
/** Like `createFeature`, for newer servers, which can copy all environments. */
export const copyFeature = (source: string, replaceGroupId: boolean) =>
  post<ToggleDraft, Toggle>(`${createFeature.path}?copyOf=${encode(source)}&replaceGroupId=${replaceGroupId}`, {
    normalise: normaliseToggle,
  });
export const updateFeature = (name: string) =>
  put<ToggleDraft, Toggle>(`api/admin/features/${encode(name)}`, { normalise: normaliseToggle });
export const validateFeature = post<{ name: string }>('api/admin/features/validate');
export const switchFeature = (name: string, on: boolean) =>
  post<void, Partial<Toggle>>(`api/admin/features/${encode(name)}/toggle/${on ? 'on' : 'off'}`, {
    normalise: normaliseWrittenToggle,
  });
export const setFeatureStale = (name: string, stale: boolean) =>
  post<void, Partial<Toggle>>(`api/admin/features/${encode(name)}/stale/${stale ? 'on' : 'off'}`, {
    normalise: normaliseWrittenToggle,
  });
export const archiveFeature = (name: string) => del(`api/admin/features/${encode(name)}`);
export const reviveFeature = (name: string) => post(`api/admin/archive/revive/${encode(name)}`);
export const featureTags = (name: string) =>
  get<TagsResponse>(`api/admin/features/${encode(name)}/tags`, { normalise: normaliseTags });
export const tagFeature = (name: string) => post<Tag, Tag>(`api/admin/features/${encode(name)}/tags`);
export const untagFeature = (name: string, { type, value }: Tag) =>
  del(`api/admin/features/${encode(name)}/tags/${encode(type)}/${encode(value)}`);
export const featureEvents = (name: string) =>
  get<ToggleEventsResponse>(`api/admin/events/${encode(name)}`, { normalise: normaliseEvents });
/** Like `featureEvents`, for components that show changes of other users. */
export const polledFeatureEvents = (name: string): ReturnType<typeof featureEvents> => {
  const { path, policy } = featureEvents(name);
  return { path, policy: { ...policy, pollMs: SEEN_APPS_POLL_MS } };
};
export const archivedFeatures = get<ArchiveResponse>('api/admin/archive/features', { normalise: normaliseToggles });
export const featureTypes = get<FeatureTypesResponse>('api/admin/feature-types', {
  failureText: 'The toggle types could not be loaded',
  normalise: normaliseFeatureTypes,
});
export const featureMetrics = get<ToggleMetrics>('api/admin/metrics/feature-toggles', {
  pollMs: METRICS_POLL_MS,
  mayBeAbsent: true,
});
/** Counts of one toggle per minute of the last hour, or per hour of the last 7 days. Unleash 3 has neither. */
export const featureHistory = (name: string, periods: 'minutes' | 'raw?hoursBack=168') =>
  get<UsageHistory>(`api/admin/client-metrics/features/${encode(name)}/${periods}`, {
    pollMs: periods === 'minutes' ? METRICS_POLL_MS : SEEN_APPS_POLL_MS,
    mayBeAbsent: true,
  });
const seenAppsAt = (path: string) =>
  get<{ [toggleName: string]: SeenApp[] }>(path, { pollMs: SEEN_APPS_POLL_MS, mayBeAbsent: true });
export const seenApps = seenAppsAt('api/admin/metrics/seen-apps');
/** Like `seenApps`, for newer servers, which report the applications of single toggles only. */
export const seenAppsOf = (toggle: string) => seenAppsAt(`${seenApps.path}?toggle=${encode(toggle)}`);

export const applications = get<ApplicationsResponse>('api/admin/metrics/applications', {
  normalise: normaliseApplications,
});
/** Like `applications`, for components that wait for an application. */
export const polledApplications: typeof applications = {
  ...applications,
  policy: { ...applications.policy, pollMs: METRICS_POLL_MS },
};
export const applicationsUsing = (strategyName: string) =>
  get<ApplicationsResponse>(`api/admin/metrics/applications?strategyName=${encode(strategyName)}`, {
    normalise: normaliseApplications,
  });
export const application = (name: string) =>
  get<Application>(`api/admin/metrics/applications/${encode(name)}`, { normalise: normaliseApplication });
/** Stores one metadata field. Servers ignore empty values. */
export const describeApplication = (name: string) =>
  post<ApplicationMetadata>(`api/admin/metrics/applications/${encode(name)}`);
export const deleteApplication = (name: string) => del(`api/admin/metrics/applications/${encode(name)}`);

export const events = get<EventsResponse>('api/admin/events', { normalise: normaliseEvents });
/** The page of events whose ids are lower than `before`. Only servers that send `nextBefore` have pages. */
export const eventsBefore = <Page extends Pick<EventsResponse, 'events' | 'nextBefore'>>(
  { path, policy }: Endpoint<Page>,
  before: number,
): Endpoint<Page> => get<Page>(`${path}?before=${before}`, policy);

export const strategies = get<StrategiesResponse>('api/admin/strategies', {
  failureText: 'The strategies could not be loaded',
  normalise: normaliseStrategies,
});
export const strategy = (name: string) => get<StrategyDefinition>(`api/admin/strategies/${encode(name)}`);
export const createStrategy = post<StrategyDefinitionDraft, StrategyDefinition>('api/admin/strategies');
export const updateStrategy = (name: string) => put<StrategyDefinitionDraft>(`api/admin/strategies/${encode(name)}`);
export const deleteStrategy = (name: string) => del(`api/admin/strategies/${encode(name)}`);
export const deprecateStrategy = (name: string) => post(`api/admin/strategies/${encode(name)}/deprecate`);
export const reactivateStrategy = (name: string) => post(`api/admin/strategies/${encode(name)}/reactivate`);

export const context = get<ContextField[]>('api/admin/context', {
  failureText: 'The context fields could not be loaded',
  normalise: normaliseContext,
});
export const contextField = (name: string) => get<ContextField>(`api/admin/context/${encode(name)}`);
export const createContextField = post<ContextField>('api/admin/context');
export const validateContextField = post<{ name: string }>('api/admin/context/validate');
export const updateContextField = (name: string) => put<ContextField>(`api/admin/context/${encode(name)}`);
export const deleteContextField = (name: string) => del(`api/admin/context/${encode(name)}`);

/** Named lists of constraints. Unleash 3 has none. */
export const segments = get<SegmentsResponse>('api/admin/segments', { mayBeAbsent: true });
export const segment = (id: number) => get<Segment>(`api/admin/segments/${id}`);
/** The strategies of toggles that use a segment. */
export const segmentUses = (id: number) => get<SegmentUsesResponse>(`api/admin/segments/${id}/strategies`);
export const createSegment = post<SegmentDraft>('api/admin/segments');
export const validateSegment = post<{ name: string }>('api/admin/segments/validate');
export const updateSegment = (id: number) => put<SegmentDraft>(`api/admin/segments/${id}`);
export const deleteSegment = (id: number) => del(`api/admin/segments/${id}`);

/** Evaluates toggles. Changes nothing: allowed for all users, in read-only mode and during an outage. */
/** A blob contains the JSON of a request. */
export const evaluate = post<EvaluateRequest | Blob, EvaluateResponse>('-/evaluate');

export const projects = get<ProjectsResponse>('api/admin/projects', {
  failureText: 'The projects could not be loaded',
  mayBeAbsent: true,
  normalise: normaliseProjects,
});
/** Unleash 3 has no such endpoint. */
export const project = (id: string) => get<Project>(`api/admin/projects/${encode(id)}`);
export const createProject = post<Project>('api/admin/projects');
export const validateProject = post<{ id: string }>('api/admin/projects/validate');
export const updateProject = (id: string) => put<Project>(`api/admin/projects/${encode(id)}`);
export const deleteProject = (id: string) => del(`api/admin/projects/${encode(id)}`);

export const tagTypes = get<TagTypesResponse>('api/admin/tag-types', { normalise: normaliseTagTypes });
export const tagType = (name: string) => get<TagTypeResponse>(`api/admin/tag-types/${encode(name)}`);
export const createTagType = post<TagType>('api/admin/tag-types');
export const validateTagType = post<{ name: string }>('api/admin/tag-types/validate');
export const updateTagType = (name: string) => put<TagType>(`api/admin/tag-types/${encode(name)}`);
export const deleteTagType = (name: string) => del(`api/admin/tag-types/${encode(name)}`);

export const tags = get<TagsResponse>('api/admin/tags', { normalise: normaliseTags });
export const createTag = post<Tag>('api/admin/tags');
export const deleteTag = ({ type, value }: Tag) => del(`api/admin/tags/${encode(type)}/${encode(value)}`);

export const addons = get<AddonsResponse>('api/admin/addons', { normalise: normaliseAddons });
export const addon = (id: number) => get<Addon>(`api/admin/addons/${id}`);
export const createAddon = post<AddonDraft, Addon>('api/admin/addons');
export const updateAddon = (id: number) => put<AddonDraft, Addon>(`api/admin/addons/${id}`);
export const deleteAddon = (id: number) => del(`api/admin/addons/${id}`);

/** Only of the embedded service: the endpoint of other servers returns secrets. */
export const apiTokens = get<ApiTokensResponse>('api/admin/api-tokens');
export const createApiToken = post<ApiTokenDraft, CreatedApiToken>('api/admin/api-tokens');
export const deleteApiToken = (name: string) => del(`api/admin/api-tokens/${encode(name)}`);
