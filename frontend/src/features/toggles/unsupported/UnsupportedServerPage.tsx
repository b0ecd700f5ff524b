import type { ApiError } from '@/api/error';
import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { PageHeader } from '@/ui/PageHeader';
import { UnsupportedServerPanel } from './UnsupportedServerPanel';

/** Page shown instead of a toggle's page on unsupported servers. */
export function UnsupportedServerPage({ title, error }: { title: string; error: ApiError }) {
  return (
    <>
      <PageHeader title={title} breadcrumb={<Breadcrumb within={sections.toggles} here={title} />} />
      <UnsupportedServerPanel error={error} />
    </>
  );
}
