import { features, loadExamples } from '@/api/endpoints';
import { useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';

/** The embedded service's toggles to look around with. */
export function useExamples() {
  const { send, busy } = useWrite();
  function load() {
    send(loadExamples, { refreshes: [features] }).then(
      (answer) => pushInfo(`${answer?.created ?? 0} example toggles loaded.`),
      () => undefined,
    );
  }
  return { load, loading: busy };
}
