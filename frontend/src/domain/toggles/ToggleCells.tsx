// Table columns that the toggle list and the archive share. On phones a row is a card: name and description first, type
// and age in a line below.
import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { Chip } from '@/ui/Chip';
import type { GridColumn } from '@/ui/GridColumn';
import { Skeleton } from '@/ui/Skeleton';
import { Time } from '@/ui/Time';

/** In pixels. `ToggleTableSkeleton` uses the same heights. */
export const toggleRowHeight = { wide: 56, narrow: 88 };

export interface ToggleRow {
  toggle: Toggle;
  /** Name of the toggle's type. */
  type: string;
}

export const ringColumn = {
  header: 'Yes',
  width: '44px',
  className: 'flex max-sm:row-span-2',
  skeleton: () => <Skeleton width={32} height={32} />,
};

export const nameColumn = {
  header: 'Name',
  isHeading: true,
  className: 'min-w-0 pr-4 text-left font-normal max-sm:col-span-3 max-sm:col-start-3 max-sm:pr-2',
  copyHeader: 'Toggle',
  copy: ({ name }: Toggle) => name,
  skeleton: (width: number) => (
    <div className="grid min-w-0 grid-cols-1 gap-2 max-sm:col-span-3">
      <Skeleton width={Math.min(width, 180)} height={12} />
      <Skeleton width={width} height={10} />
    </div>
  ),
};

export const metadataColumns: readonly GridColumn<Toggle, ToggleRow>[] = [
  {
    header: 'Created',
    width: '112px',
    isOptional: true,
    className: 'truncate text-muted text-secondary max-sm:col-start-4 max-sm:row-start-2 max-sm:pl-2',
    cell: ({ toggle }) => <Time value={toggle.createdAt} />,
  },
  {
    header: 'Last seen',
    width: '124px',
    className: 'truncate text-muted text-secondary max-sm:hidden',
    cell: ({ toggle }) => <Time value={toggle.lastSeenAt} />,
  },
  {
    header: 'Type',
    width: '112px',
    className: 'max-sm:col-start-3 max-sm:row-start-2',
    cell: ({ type }) => <Chip>{type}</Chip>,
    copy: ({ type }) => type,
  },
  { header: 'Description', copy: ({ description }) => description },
];

/** Class of the cell with a row's action. On phones it is at the end of the second line, and taller for touch. */
export const ACTION_CELL = 'flex justify-end max-sm:-my-2.5 max-sm:col-start-5 max-sm:row-start-2';

interface ToggleNameProps {
  toggle: Toggle;
  /** Link to the toggle. */
  children: ReactNode;
}

export function ToggleName({ toggle, children }: ToggleNameProps) {
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-semibold">{children}</span>
        {toggle.stale && <Chip tone="warn">Stale</Chip>}
      </span>
      <span className="block truncate text-muted text-secondary">{toggle.description}</span>
    </>
  );
}
