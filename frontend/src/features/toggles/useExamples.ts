import { features, loadExamples } from '@/api/endpoints';
import { pushInfo } from '@/api/errorList';
import { useWrite } from '@/api/hooks';

/** The embedded service's toggles to look around with. */
export function useExamples() {
  const { run, busy } = useWrite();
  function load() {
    run(loadExamples, { refreshes: [features] }).then(
      (answer) => pushInfo(`${answer?.created ?? 0} example toggles loaded.`),
      () => undefined,
    );
  }
  return { load, loading: busy };
}
