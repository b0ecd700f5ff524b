import { can } from '@/lib/can';
import { type Profile, toProfile } from '@/lib/profile';
import { user } from './endpoints';
import { useRead } from './hooks';
import { useWriteBlock, writeBlock } from './writeBlock';

/** The signed-in user; undefined until known. */
export function useProfile(): Profile | undefined {
  const { data } = useRead(user);
  return data && toProfile(data);
}

/** Whether the user may do it, and whether it can be done at all at the moment. */
export function usePermission(permission: string): boolean {
  const profile = useProfile();
  return useWriteBlock() === undefined && can(profile, permission);
}

/** Why a control is disabled, in words that can be passed on to whoever can help. */
export function needs(permission: string): string {
  return writeBlock() ?? `You need the permission ${permission} for this.`;
}
