import { can } from '@/lib/can';
import { type Profile, toProfile } from '@/lib/profile';
import { user } from './endpoints';
import { useRead } from './hooks';

/** The signed-in user; undefined until known. */
export function useProfile(): Profile | undefined {
  const { data } = useRead(user);
  return data && toProfile(data);
}

export function usePermission(permission: string): boolean {
  return can(useProfile(), permission);
}

/** Why a control is disabled, in words that can be passed on to whoever grants permissions. */
export function needs(permission: string): string {
  return `You need the permission ${permission} for this.`;
}
