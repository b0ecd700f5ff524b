// Reads of the flight recorder.
import { isAdministrator } from './disabledReason';
import { recordedState, recorder } from './endpoints';
import { useSelectedEnvironment, useServerEnvironment } from './environment';
import { usePastView } from './pastView';
import { useProfile } from './permissions';
import { useSettings } from './settings';
import { useRead } from './useRead';

/** The toggles that SDKs got at the time of the page; nothing if the page shows the present. */
export function useRecordedState() {
  const view = usePastView();
  const query = useRecordedQuery({ at: view?.at }, view?.scope);
  return useRead(view ? recordedState(query) : null);
}

/** Returns whether this deployment has a flight recorder, and its server lets this user see earlier states. */
export function useCanReadRecords(): boolean {
  const settings = useSettings();
  const profile = useProfile();
  if (!settings?.recorder) return false;
  return !settings.recorderNeedsAdmin || (profile !== undefined && isAdministrator(profile));
}

/** Times and scopes of the records; nothing if the user cannot see them. */
export function useRecorder() {
  const canRead = useCanReadRecords();
  return useRead(canRead ? recorder : null);
}

/** Returns the query of a read of the recorder, with the selected scope, or the environment of the page. */
export function useRecordedQuery(times: { [name: string]: string | undefined }, scope: string | undefined): string {
  const selection = useRecordedSelection(scope);
  const values = Object.entries({ ...times, ...selection });
  return new URLSearchParams(values.flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
}

/** Returns the properties of a request that select the token whose toggles are meant. */
export function useRecordedSelection(scope: string | undefined): { scope?: string; environment?: string } {
  const here = useServerEnvironment()?.name;
  // During an outage, the environments of the server may not be known.
  const inUrl = useSelectedEnvironment();
  if (scope !== undefined) return { scope };
  const environment = here ?? inUrl;
  return environment === undefined ? {} : { environment };
}
