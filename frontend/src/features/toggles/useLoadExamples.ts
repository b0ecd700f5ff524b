import { features, loadExamples } from '@/api/endpoints';
import { pushInfo } from '@/api/errorList';
import { useWrite } from '@/api/hooks';

/** Loads the example toggles of the embedded service. */
export function useLoadExamples() {
  const { run, busy } = useWrite();
  function load() {
    run(loadExamples, { refreshes: [features] }).then(
      (answer) => pushInfo(`${answer?.created ?? 0} example toggles loaded.`),
      () => undefined,
    );
  }
  return { load, loading: busy };
}
