import { type Circumstances, disabledReason } from './disabledReason';
import { user } from './endpoints';
import { useRead } from './hooks';
import { useOutage } from './outage';
import { type Profile, toProfile } from './profile';
import { useSettings } from './settings';
import { useIsUnsupportedServer } from './unsupportedServer';

/** The signed-in user; undefined until known. */
export function useProfile(): Profile | undefined {
  const { data } = useRead(user);
  return data && toProfile(data);
}

/** The reason why a control that needs `permission` is disabled; undefined if it is enabled. */
export function useDisabledReason(permission: string): string | undefined {
  return disabledReason(permission, useCircumstances());
}

/** Like `useDisabledReason`, for several permissions. */
export function useDisabledReasons(): (permission: string) => string | undefined {
  const circumstances = useCircumstances();
  return (permission) => disabledReason(permission, circumstances);
}

/** Like `useDisabledReason`, but ignores outages: they are temporary, and a form must keep its input until they end. */
export function useLastingDisabledReason(permission: string): string | undefined {
  return disabledReason(permission, { ...useCircumstances(), isOutage: false });
}

function useCircumstances(): Circumstances {
  return {
    isOutage: useOutage() !== undefined,
    isReadOnly: useSettings()?.readOnly ?? false,
    isUnsupported: useIsUnsupportedServer(),
    profile: useProfile(),
  };
}
