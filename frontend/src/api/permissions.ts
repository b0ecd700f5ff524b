import { useCapabilities } from './capabilities';
import { type Circumstances, disabledReason, type KnownPermission } from './disabledReason';
import { user } from './endpoints';
import { useRead } from './useRead';
import { useOutage } from './outage';
import { usePastReason } from './pastView';
import { type Profile, toProfile } from './profile';
import { useSettings } from './settings';
import { useIsUnsupportedServer } from './unsupportedServer';

/** The signed-in user; undefined until known. */
export function useProfile(): Profile | undefined {
  const { data } = useRead(user);
  return data && toProfile(data);
}

/** Returns whether the response with the user and the permissions is outstanding. */
export function useIsProfileLoading(): boolean {
  return useRead(user).isLoading;
}

interface PermissionOptions {
  /** An outage is temporary. It must not hide a form, which keeps its input until the outage ends. */
  ignoresOutage?: boolean;
  /** The user may try without known permissions: the server decides. */
  mayBeUnknown?: boolean;
}

/** Stands for a user whose permissions are not known. */
const UNKNOWN_USER: Profile = { name: '' };

/** Returns the reason why the user cannot use `permission` now; undefined if the user can. */
export function usePermission(permission: KnownPermission, options: PermissionOptions = {}) {
  const { ignoresOutage = false, mayBeUnknown = false } = options;
  const circumstances = useCircumstances();
  return disabledReason(permission, {
    ...circumstances,
    ...(ignoresOutage && { isOutage: false }),
    ...(mayBeUnknown && { profile: circumstances.profile ?? UNKNOWN_USER }),
  });
}

/** Like `usePermission`, for permissions that are known only after rendering. */
export function usePermissions(): (permission: KnownPermission) => string | undefined {
  const circumstances = useCircumstances();
  return (permission) => disabledReason(permission, circumstances);
}

function useCircumstances(): Circumstances {
  const settings = useSettings();
  return {
    pastReason: usePastReason(),
    isOutage: useOutage() !== undefined,
    isReadOnly: settings?.readOnly ?? false,
    definitionsFile: settings?.definitions?.file,
    isUnsupported: useIsUnsupportedServer(),
    hasEnvironments: useCapabilities().hasEnvironments,
    profile: useProfile(),
  };
}
