import type { Permission, PermissionGrant, User, UserResponse } from '@/api/generated/types';

export interface Profile {
  /** Display name. */
  name: string;
  /** User name of the account; absent if there is none. */
  username?: string;
  /** Absent if there is none, or if it is the display name. */
  email?: string;
  /** URL of the avatar; `imageSource` decides whether it may be loaded. */
  imageUrl?: string;
  /** Absent if the server has no list of permissions. */
  permissions?: string[];
  /** True if the user administers this program, although the permissions are those at the upstream and lack `ADMIN`. */
  isAdministrator?: boolean;
  /** The groups that grant permissions. Absent if the user did not sign in at an identity provider. */
  grants?: readonly PermissionGrant[];
}

/** Converts either of the two user formats that servers send. */
export function toProfile(response: UserResponse): Profile {
  const user = userOf(response);
  const permissions = ('user' in response ? response.permissions : undefined) ?? user.permissions;
  const name = user.name || user.email || user.username || 'Unknown user';
  return {
    name,
    ...(user.username && { username: user.username }),
    ...(user.email && user.email !== name && { email: user.email }),
    ...(user.imageUrl && { imageUrl: user.imageUrl }),
    ...(permissions && { permissions: permissions.map(nameOf) }),
    ...(user.isAdministrator && { isAdministrator: true }),
    ...(user.grants && { grants: user.grants }),
  };
}

/**
 * Returns whether two responses are about the same user. Display names are not unique: compares the first identifier
 * that both have. Without one, they count as two users, so that data is never shown to another user.
 */
export function isSameUser(one: UserResponse, other: UserResponse): boolean {
  const [a, b] = [userOf(one), userOf(other)];
  for (const field of ['id', 'username', 'email'] as const) {
    const [value, otherValue] = [a[field], b[field]];
    if (isPresent(value) && isPresent(otherValue)) return value === otherValue;
  }
  return false;
}

const isPresent = (value: unknown) => value !== undefined && value !== null && value !== '';

/** Returns whether the server records this user's changes under the name `author`. */
export function isAuthor(response: UserResponse, author: string): boolean {
  const { email, username } = userOf(response);
  return author === (email || username);
}

/** Servers from version 4 also send an id. */
function userOf(response: UserResponse): User & { id?: number | string | null } {
  return 'user' in response ? response.user : response;
}

function nameOf(permission: Permission): string {
  return typeof permission === 'string' ? permission : permission.permission;
}

/** Returns one or two initials. */
export function getInitials(name: string): string {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter(Boolean);
  const [first = '?', second] = words;
  const letters = second ? [first, second] : [first];
  return letters.map((word) => Array.from(word)[0]?.toUpperCase()).join('');
}
