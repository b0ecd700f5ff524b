import type { Profile } from './profile';

/** Returns whether the user has the permission. Servers that send no list of permissions allow everything. */
export function hasPermission(profile: Profile | undefined, permission: string): boolean {
  if (!profile) return false;
  const { permissions } = profile;
  return !permissions || permissions.includes('ADMIN') || permissions.includes(permission);
}
