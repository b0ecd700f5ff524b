import type { ReactNode } from 'react';
import { useCapabilities, useServerVersion } from '@/api/capabilities';
import { useAreCapabilitiesLoading } from '@/api/reads';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { SegmentIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';

interface Props {
  /** Heading while `children` are not shown. */
  title: string;
  within?: { label: string; path: string };
  /** A page. It sends no request until it is known that the server has segments. */
  children: ReactNode;
}

/** Shows a page about segments, or an explanation if the server has none. */
export function SegmentSupportBoundary({ title, within, children }: Props) {
  const isLoading = useAreCapabilitiesLoading();
  const { managesSegments } = useCapabilities();
  if (managesSegments && !isLoading) return children;
  return (
    <>
      <PageHeader title={title} breadcrumb={within && <Breadcrumb within={within} />} />
      {isLoading ? <Progress label="Loading the segments" /> : <SegmentsUnsupported />}
    </>
  );
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
