// Table cells of the toggle list and the archive. On phones a row is a card: name and description first, type and age in
// a line below.
import type { ReactNode } from 'react';
import type { Counts, Toggle } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Chip } from '@/ui/Chip';
import { Time } from '@/ui/Time';
import { YesRateRing } from './YesRateRing';

/** In pixels. `ToggleTableSkeleton` uses the same heights. */
export const toggleRowHeight = { wide: 56, narrow: 88 };

/** Grid columns of a row. Narrow windows hide Created first. */
export const toggleColumns = cx(
  'grid-cols-[28px_44px_48px_minmax(0,1fr)_112px_124px_112px_36px]',
  'sm:max-lg:grid-cols-[28px_44px_48px_minmax(0,1fr)_124px_112px_36px]',
  'max-sm:grid-cols-[40px_50px_auto_minmax(0,1fr)_44px] max-sm:content-center max-sm:gap-y-1',
);

export const archiveColumns = cx(
  'grid-cols-[44px_minmax(0,1fr)_112px_124px_112px_92px] sm:max-lg:grid-cols-[44px_minmax(0,1fr)_124px_112px_92px]',
  'max-sm:grid-cols-[44px_0_auto_minmax(0,1fr)_44px] max-sm:content-center max-sm:gap-y-1',
);

interface HeaderCellProps {
  children: ReactNode;
  className?: string;
}

export function HeaderCell({ children, className }: HeaderCellProps) {
  return (
    <th scope="col" className={cx('py-2.5 text-left font-semibold text-label text-muted', className)}>
      {children}
    </th>
  );
}

/** Headers of `MetadataCells`. */
export function MetadataHeaders() {
  return (
    <>
      <HeaderCell className="sm:max-lg:hidden">Created</HeaderCell>
      <HeaderCell>Last seen</HeaderCell>
      <HeaderCell>Type</HeaderCell>
    </>
  );
}

interface RingCellProps {
  counts: Counts | undefined;
  className?: string;
  /** Wraps the ring, for example in a link. */
  children?: (ring: ReactNode) => ReactNode;
}

export function RingCell({ counts, className, children = (ring) => ring }: RingCellProps) {
  return <td className={cx('flex max-sm:row-span-2', className)}>{children(<YesRateRing counts={counts} />)}</td>;
}

interface NameCellProps {
  toggle: Toggle;
  children: ReactNode;
}

export function NameCell({ toggle, children }: NameCellProps) {
  return (
    <th scope="row" className="min-w-0 pr-4 text-left font-normal max-sm:col-span-3 max-sm:col-start-3 max-sm:pr-2">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-semibold">{children}</span>
        {toggle.stale && <Chip tone="warn">Stale</Chip>}
      </span>
      <span className="block truncate text-muted text-secondary">{toggle.description}</span>
    </th>
  );
}

interface MetadataCellsProps {
  toggle: Toggle;
  type: string;
}

export function MetadataCells({ toggle, type }: MetadataCellsProps) {
  return (
    <>
      <td className="truncate text-muted text-secondary sm:max-lg:hidden max-sm:col-start-4 max-sm:row-start-2 max-sm:pl-2">
        <Time value={toggle.createdAt} />
      </td>
      <td className="truncate text-muted text-secondary max-sm:hidden">
        <Time value={toggle.lastSeenAt} />
      </td>
      <td className="max-sm:col-start-3 max-sm:row-start-2">
        <Chip>{type}</Chip>
      </td>
    </>
  );
}

/** Cell of a row's action. On phones it is at the end of the second line, and taller than the line for touch. */
export function ActionCell({ children }: { children: ReactNode }) {
  return <td className="flex justify-end max-sm:-my-2.5 max-sm:col-start-5 max-sm:row-start-2">{children}</td>;
}
