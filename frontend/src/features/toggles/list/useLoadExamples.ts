import { features, loadExamples } from '@/api/endpoints';
import { useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';

/** Loads the example toggles of the embedded service. */
export function useLoadExamples() {
  const { send, busy } = useWrite();
  function load() {
    send(loadExamples, { refreshes: [features] }).then(
      (response) => pushInfo(`${response?.created ?? 0} example toggles loaded.`),
      () => undefined,
    );
  }
  return { load, loading: busy };
}
