// The reason why a user cannot change something now. No other code decides this: controls and forms ask
// `useDisabledReason` in `api/permissions.ts`.
import { hasPermission } from './hasPermission';
import type { Profile } from './profile';

export interface Circumstances {
  /** Requests do not reach the flag service. */
  isOutage: boolean;
  /** The operator runs this console read-only. */
  isReadOnly: boolean;
  /** The server has no calls that change a single toggle. */
  isUnsupported: boolean;
  /** Undefined until it is loaded, and while nobody is signed in. */
  profile: Profile | undefined;
}

const OUTAGE = 'Nothing can be changed until the flag service answers again.';
const READ_ONLY = 'This console is read-only: nothing can be changed through it.';
const UNSUPPORTED = 'This server does not manage toggles the way this console does.';
const NOT_LOADED = 'Your permissions are not loaded yet.';

/** The first reason, in order of precedence; undefined if the user can do what needs `permission`. */
export function disabledReason(permission: string, circumstances: Circumstances): string | undefined {
  const { isOutage, isReadOnly, isUnsupported, profile } = circumstances;
  if (isOutage) return OUTAGE;
  if (isReadOnly) return READ_ONLY;
  if (isUnsupported && isAboutToggles(permission)) return UNSUPPORTED;
  if (!profile) return NOT_LOADED;
  return hasPermission(profile, permission) ? undefined : `You need the permission ${permission} for this.`;
}

function isAboutToggles(permission: string): boolean {
  return permission.endsWith('_FEATURE');
}
