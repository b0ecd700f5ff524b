import type { ApiError } from '@/api/error';
import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { PageHeader } from '@/ui/PageHeader';
import { UnfitServer } from './UnfitServer';

/** In place of a page about toggles other than their list. */
export function UnfitPage({ title, error }: { title: string; error: ApiError }) {
  return (
    <>
      <PageHeader title={title} breadcrumb={<Breadcrumb within={sections.toggles} here={title} />} />
      <UnfitServer error={error} />
    </>
  );
}
