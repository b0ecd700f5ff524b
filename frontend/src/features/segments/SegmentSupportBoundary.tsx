import type { ReactNode } from 'react';
import { useCapabilities, useServerVersion } from '@/api/capabilities';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { SegmentIcon } from '@/ui/icons';

/** Shows its content, or a panel if the server has no segments. */
export function SegmentSupportBoundary({ children }: { children: ReactNode }) {
  return useCapabilities().managesSegments ? children : <SegmentsUnsupported />;
}

export function SegmentsUnsupported() {
  const version = useServerVersion();
  return (
    <Card>
      <EmptyState icon={<SegmentIcon size={20} />} title="This server does not support segments">
        {version === undefined ? 'It' : `Version ${version}`} has no endpoints for them. Add the constraints to each
        strategy instead.
      </EmptyState>
    </Card>
  );
}
