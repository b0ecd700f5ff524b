// Reads of the flight recorder.
import { recordedState, recorder } from './endpoints';
import { useSelectedEnvironment, useServerEnvironment } from './environment';
import { useRead } from './hooks';
import { usePastView } from './pastView';
import { useSettings } from './settings';

/** The toggles that SDKs got at the time of the page; nothing if the page shows the present. */
export function useRecordedState() {
  const view = usePastView();
  const query = useRecordedQuery({ at: view?.at }, view?.scope);
  return useRead(view ? recordedState(query) : null, { handlesFailure: true });
}

/** Times and scopes of the records; nothing without a flight recorder. */
export function useRecorder() {
  const hasRecorder = useSettings()?.recorder ?? false;
  return useRead(hasRecorder ? recorder : null, { handlesFailure: true });
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
