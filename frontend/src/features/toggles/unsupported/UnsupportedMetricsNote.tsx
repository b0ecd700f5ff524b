import { useCapabilities, useServerVersion } from '@/api/capabilities';
import { useMetricsStatus } from '@/api/reads';

/** Note for servers without supported metrics. Without it, empty rings would look like unused toggles. */
export function UnsupportedMetricsNote() {
  const version = useServerVersion();
  const { counts } = useCapabilities();
  const { reason } = useMetricsStatus(true);
  return (
    <p role="note" className="rounded-control bg-warn-soft px-4 py-2.5 text-warn">
      {counts !== 'minutes' && reason ? (
        reason
      ) : (
        <>
          This server{version && ` (version ${version})`} reports metrics in a format that this console does not
          support. Metrics stay empty; everything else works.
        </>
      )}
    </p>
  );
}
