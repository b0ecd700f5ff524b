import { useStore } from '@/lib/store';
import { authState } from './authState';
import { useProfile } from './permissions';
import { useSettings } from './settings';

/** Whether signing out is possible and somebody is signed in. */
export function useCanSignOut(): boolean {
  const isSignedIn = useProfile() !== undefined;
  const isAskedToSignIn = useStore(authState) !== null;
  return (useSettings()?.signOut ?? false) && isSignedIn && !isAskedToSignIn;
}
