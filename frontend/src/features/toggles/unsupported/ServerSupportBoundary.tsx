import type { ReactNode } from 'react';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { UnsupportedMetricsNote } from './UnsupportedMetricsNote';
import { UnsupportedServerPanel } from './UnsupportedServerPanel';

interface Props {
  children: ReactNode;
}

/** Shows a list with a note about missing metrics, or a panel if the server is unsupported. */
export function ServerSupportBoundary({ children }: Props) {
  const unsupported = useUnsupportedServer();
  if (unsupported) return <UnsupportedServerPanel error={unsupported} />;
  return (
    <div className="grid gap-3">
      <UnsupportedMetricsNote />
      {children}
    </div>
  );
}

/** Hides its children on unsupported servers. */
export function OnSupportedServer({ children }: Props) {
  return useUnsupportedServer() ? null : children;
}
