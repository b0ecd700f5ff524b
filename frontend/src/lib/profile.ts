import type { Permission, UserAnswer } from '@/api/generated/types';

export interface Profile {
  /** How the user is addressed on the page. */
  name: string;
  /** A picture; not every address may be loaded. */
  imageUrl?: string;
  /** Left out where the server has no such list. */
  permissions?: string[];
}

/** Reads both ways that servers describe the user. */
export function toProfile(answer: UserAnswer): Profile {
  const user = userOf(answer);
  const permissions = ('user' in answer ? answer.permissions : undefined) ?? user.permissions;
  const name = user.name || user.email || user.username || 'Unknown user';
  return {
    name,
    ...(user.imageUrl && { imageUrl: user.imageUrl }),
    ...(permissions && { permissions: permissions.map(nameOf) }),
  };
}

/** Whether this is how the server signs what the user changes. */
export function isAuthor(answer: UserAnswer, author: string): boolean {
  const { email, username } = userOf(answer);
  return author === (email || username);
}

function userOf(answer: UserAnswer) {
  return 'user' in answer ? answer.user : answer;
}

function nameOf(permission: Permission): string {
  return typeof permission === 'string' ? permission : permission.permission;
}

/** One or two letters that stand for the user. */
export function getInitials(name: string): string {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter(Boolean);
  const [first = '?', second] = words;
  const letters = second ? [first, second] : [first];
  return letters.map((word) => Array.from(word)[0]?.toUpperCase()).join('');
}
