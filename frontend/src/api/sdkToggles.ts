// The toggles that SDKs get from Flagdeck while the flag service does not respond. A console that is opened then knows no others.
import { sdkToggles } from './endpoints';
import { useSelectedEnvironment } from './environment';
import { useOutage } from './outage';
import { useSettings } from './settings';
import { useRead } from './useRead';

/** Returns whether SDKs get toggles from this program, and the flag service does not respond. */
export function useHasSdkToggles(): boolean {
  const hasReplica = useSettings()?.replica ?? false;
  return useOutage()?.hop === 'upstream' && hasReplica;
}

/** Reads the toggles that SDKs get; nothing if `useHasSdkToggles` is false. */
export function useSdkToggles() {
  const isNeeded = useHasSdkToggles();
  const environment = useSelectedEnvironment();
  return useRead(isNeeded ? sdkToggles(environment ?? null) : null);
}
