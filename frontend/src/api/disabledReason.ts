// Decides whether a user can change something now. Components use `usePermission` in `api/permissions.ts`.
import type { PermissionName } from './generated/types';
import type { Profile } from './profile';

/** Permissions of newer servers for one environment. Other servers have only `UPDATE_FEATURE` for these changes. */
type EnvironmentPermission =
  | 'UPDATE_FEATURE_ENVIRONMENT'
  | 'CREATE_FEATURE_STRATEGY'
  | 'UPDATE_FEATURE_STRATEGY'
  | 'DELETE_FEATURE_STRATEGY'
  | 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS';

export type KnownPermission = PermissionName | EnvironmentPermission;

/** The permission that includes all others. */
const ADMIN: PermissionName = 'ADMIN';
/** The permission that includes those for one environment. */
const UPDATE: PermissionName = 'UPDATE_FEATURE';

export interface Circumstances {
  /** The reason why the past cannot be changed; undefined if the page shows the present. */
  pastReason?: string | undefined;
  /** Requests do not reach the flag service. */
  isOutage: boolean;
  /** The operator runs this console read-only. */
  isReadOnly: boolean;
  /** The file that the toggles come from; undefined if a flag service stores them. */
  definitionsFile?: string | undefined;
  /** The server has no endpoints for changing a single toggle. */
  isUnsupported: boolean;
  /** The server has environments, and permissions for them. */
  hasEnvironments: boolean;
  /** Undefined while loading and when signed out. */
  profile: Profile | undefined;
}

const OUTAGE = 'Changes are disabled until the flag service responds again.';
const READ_ONLY = 'This console is read-only.';
const describeDefinitions = (file: string) => `This console is read-only: the toggles come from ${file}.`;
const UNSUPPORTED = 'This console does not support managing toggles on this server version.';
const ENTERPRISE = 'Creating and editing projects requires Unleash Enterprise.';
const NOT_LOADED = 'Your permissions are still loading.';

/** Returns the first reason, in order of precedence, why a permission cannot be used; undefined if it can. */
export function disabledReason(requested: KnownPermission, circumstances: Circumstances): string | undefined {
  const { pastReason, isOutage, isReadOnly, definitionsFile, isUnsupported, hasEnvironments, profile } = circumstances;
  const permission = hasEnvironments ? requested : withoutEnvironments(requested);
  if (pastReason !== undefined) return pastReason;
  if (isOutage) return OUTAGE;
  if (isReadOnly) return definitionsFile === undefined ? READ_ONLY : describeDefinitions(definitionsFile);
  if (isUnsupported && isAboutToggles(permission)) return UNSUPPORTED;
  if (hasEnvironments && permission.endsWith('_PROJECT')) return ENTERPRISE;
  if (!profile) return NOT_LOADED;
  if (isGranted(permission, profile)) return undefined;
  return `You need the permission ${permission} for this.${describeMissingGroups(permission, profile)}`;
}

/** Maximum number of groups that a reason names. */
const MAX_GROUPS = 3;

/**
 * Returns the groups that have granted a permission (`isGranted`), or would grant a missing one: directly, or else by the
 * permission of which it is a part.
 */
export function findGroups(permission: string, { grants = [] }: Profile, isGranted: boolean): readonly string[] {
  const groupsOf = (name: string) =>
    grants.find((grant) => grant.permission === name && grant.isGranted === isGranted)?.groups ?? [];
  const whole = isOfEnvironment(permission) ? UPDATE : permission;
  return [permission, whole, ADMIN].map(groupsOf).find((groups) => groups.length > 0) ?? [];
}

/** Names the groups that grant a missing permission, or else all permissions; an empty text if none is known. */
function describeMissingGroups(permission: KnownPermission, profile: Profile): string {
  const groups = findGroups(permission, profile, false);
  const [first] = groups;
  if (first === undefined) return '';
  if (groups.length === 1) return ` The group ${first} has it.`;
  const more = groups.length > MAX_GROUPS ? ` and ${groups.length - MAX_GROUPS} more` : '';
  return ` These groups have it: ${groups.slice(0, MAX_GROUPS).join(', ')}${more}.`;
}

function withoutEnvironments(permission: KnownPermission): KnownPermission {
  return isOfEnvironment(permission) ? UPDATE : permission;
}

function isOfEnvironment(permission: string): boolean {
  return /_FEATURE_(ENVIRONMENT|STRATEGY|VARIANTS)/.test(permission);
}

function isAboutToggles(permission: KnownPermission): boolean {
  return permission.endsWith('_FEATURE');
}

/** Servers that send no list of permissions allow everything. */
function isGranted(permission: KnownPermission, { permissions, isAdministrator = false }: Profile): boolean {
  if (!permissions || permissions.includes(ADMIN) || permissions.includes(permission)) return true;
  return permission === ADMIN && isAdministrator;
}

/** Returns whether a user may see the data of this program for administrators, such as sessions. */
export function isAdministrator(profile: Profile): boolean {
  return isGranted(ADMIN, profile);
}
