import { useNewerServer } from '@/api/environment';
import { useMetricsStatus } from '@/api/reads';
import { useServerVersion } from '@/api/serverVersion';

/** Note for servers without supported metrics. Without it, empty rings would look like unused toggles. */
export function UnsupportedMetricsNote() {
  const version = useServerVersion();
  const isNewer = useNewerServer() !== undefined;
  const { reason } = useMetricsStatus(true);
  return (
    <p role="note" className="rounded-control bg-warn-soft px-4 py-2.5 text-warn">
      {isNewer && reason ? (
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
