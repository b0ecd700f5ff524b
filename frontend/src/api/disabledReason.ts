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

export interface Circumstances {
  /** The reason why the past cannot be changed; undefined if the page shows the present. */
  pastReason?: string | undefined;
  /** Requests do not reach the flag service. */
  isOutage: boolean;
  /** The operator runs this console read-only. */
  isReadOnly: boolean;
  /** The server has no endpoints for changing a single toggle. */
  isUnsupported: boolean;
  /** The server has environments, and permissions for them. */
  hasEnvironments: boolean;
  /** Undefined while loading and when signed out. */
  profile: Profile | undefined;
}

const OUTAGE = 'Changes are disabled until the flag service responds again.';
const READ_ONLY = 'This console is read-only.';
const UNSUPPORTED = 'This console does not support managing toggles on this server version.';
const ENTERPRISE = 'Creating and editing projects requires Unleash Enterprise.';
const NOT_LOADED = 'Your permissions are still loading.';

/** Returns the first reason, in order of precedence, why a permission cannot be used; undefined if it can. */
export function disabledReason(requested: KnownPermission, circumstances: Circumstances): string | undefined {
  const { pastReason, isOutage, isReadOnly, isUnsupported, hasEnvironments, profile } = circumstances;
  const permission = hasEnvironments ? requested : withoutEnvironments(requested);
  if (pastReason !== undefined) return pastReason;
  if (isOutage) return OUTAGE;
  if (isReadOnly) return READ_ONLY;
  if (isUnsupported && isAboutToggles(permission)) return UNSUPPORTED;
  if (hasEnvironments && permission.endsWith('_PROJECT')) return ENTERPRISE;
  if (!profile) return NOT_LOADED;
  if (isGranted(permission, profile)) return undefined;
  return `You need the permission ${permission} for this.${describeMissingGroups(permission, profile)}`;
}

/** Maximum number of groups that a reason names. */
const MAX_GROUPS = 3;

/** Names the groups that grant a missing permission, or else all permissions; an empty text if none is known. */
function describeMissingGroups(permission: KnownPermission, { grants = [] }: Profile): string {
  const groupsOf = (name: string) =>
    grants.find((grant) => grant.permission === name && !grant.isGranted)?.groups ?? [];
  const direct = groupsOf(permission);
  const groups = direct.length > 0 ? direct : groupsOf(ADMIN);
  const [first] = groups;
  if (first === undefined) return '';
  if (groups.length === 1) return ` The group ${first} has it.`;
  const more = groups.length > MAX_GROUPS ? ` and ${groups.length - MAX_GROUPS} more` : '';
  return ` These groups have it: ${groups.slice(0, MAX_GROUPS).join(', ')}${more}.`;
}

function withoutEnvironments(permission: KnownPermission): KnownPermission {
  return /_FEATURE_(ENVIRONMENT|STRATEGY)/.test(permission) ? 'UPDATE_FEATURE' : permission;
}

function isAboutToggles(permission: KnownPermission): boolean {
  return permission.endsWith('_FEATURE');
}

/** Servers that send no list of permissions allow everything. */
function isGranted(permission: KnownPermission, { permissions }: Profile): boolean {
  return !permissions || permissions.includes(ADMIN) || permissions.includes(permission);
}
