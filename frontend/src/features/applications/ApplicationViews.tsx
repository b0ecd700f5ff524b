import { sections } from '@/paths';
import { SectionViews } from '@/shared/SectionViews';
import type { MissingItems } from './missing';

/** The views of the applications. `missing` is undefined while they are checked. */
export function ApplicationViews({ missing }: { missing: MissingItems | undefined }) {
  const count = missing?.toggles.length ?? 0;
  const mark = count > 0 && (
    <>
      {' '}
      <span className="ml-1.5 rounded-chip bg-warn-soft px-1.5 text-label text-warn tabular-nums">{count}</span>
    </>
  );
  return (
    // On phones, the missing toggles are in the menu of the list.
    <div className="max-sm:hidden">
      <SectionViews label="Views" views={[sections.applications, { ...sections.missingToggles, mark }]} />
    </div>
  );
}
