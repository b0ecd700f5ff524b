import type { ReactNode } from 'react';
import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Card } from '@/ui/Card';
import { ItemHeader } from '@/ui/ItemHeader';
import { Skeleton } from '@/ui/Skeleton';

interface Props {
  /** Name in the URL. */
  name: string;
  tabs: ReactNode;
}

/** Page of a toggle while it loads, with the heights of the loaded page, so that the layout does not shift. */
export function ToggleSkeleton({ name, tabs }: Props) {
  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.toggles} />}
        name={name}
        mark={<Skeleton width={52} height={22} />}
        actions={<span className="h-control touch:h-touch" />}
      />
      <div className="mb-2 sm:hidden">
        <Skeleton height={48} />
      </div>
      <div className="-mt-2 mb-3 flex h-5 items-center max-sm:mt-0 max-sm:mb-2">
        <Skeleton width={320} height={12} />
      </div>
      <div className="mb-4 flex h-control-small items-center touch:h-touch max-sm:mb-1">
        <Skeleton width={420} height={22} />
      </div>
      {tabs}
      {/* Keeps the footer below the window, as on the loaded page. */}
      <div className="min-h-dvh">
        <Card>
          <div className="grid grid-cols-1 gap-3">
            <Skeleton width={360} height={20} />
            <Skeleton height={12} />
            <Skeleton width={240} height={14} />
          </div>
        </Card>
      </div>
    </>
  );
}
