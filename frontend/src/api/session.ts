import { useStore } from '@/lib/store';
import { authState } from './authState';
import { useProfile } from './permissions';
import { useSettings } from './settings';

/** True if a user is signed in and the deployment supports signing out. */
export function useCanSignOut(): boolean {
  const isSignedIn = useProfile() !== undefined;
  const isAskedToSignIn = useStore(authState) !== null;
  return (useSettings()?.signOut ?? false) && isSignedIn && !isAskedToSignIn;
}
