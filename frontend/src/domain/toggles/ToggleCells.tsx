// Table columns that the toggle list and the archive share. The whole row is a link to the toggle. On phones a row is a
// card: name, description and actions first, status, type and age in a line below.
import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import type { GridColumn } from '@/ui/GridColumn';
import {
  ExperimentIcon,
  type IconComponent,
  KillSwitchIcon,
  OperationalIcon,
  PermissionIcon,
  ReleaseIcon,
  ToggleIcon,
} from '@/ui/icons';
import { Skeleton } from '@/ui/Skeleton';
import { Time } from '@/ui/Time';

/** In pixels. `ToggleTableSkeleton` uses the same heights. */
export const toggleRowHeight = { wide: 56, narrow: 88 };

export interface ToggleRow {
  toggle: Toggle;
  /** Name of the toggle's type. */
  type: string;
  /** Page of the toggle. */
  href: string;
  /** Beside the name: the users who get the toggle, or who archived it. Empty if unknown. */
  note?: ReactNode;
}

/** Class of a cell with a control. It is above the link that covers the row. */
export const CONTROL_CELL = 'relative z-1 flex';

export const ringColumn = {
  header: 'Yes',
  width: '72px',
  sortKey: 'metrics',
  className: `${CONTROL_CELL} max-sm:row-span-2`,
  skeleton: () => <Skeleton width={48} height={20} />,
};

export const nameColumn = {
  header: 'Name',
  isHeading: true,
  sortKey: 'name',
  className:
    'min-w-0 pr-4 text-left font-normal max-sm:col-span-2 max-sm:col-start-3 max-sm:flex max-sm:flex-col max-sm:pr-2',
  cell: ({ toggle, href, note }: ToggleRow) => (
    <>
      <span className="flex min-w-0 items-center gap-2 max-sm:contents">
        <span className="truncate font-semibold">
          <TextLink to={href} data-cover="" className="after:absolute after:inset-0">
            {toggle.name}
          </TextLink>
        </span>
        {toggle.stale && (
          <span className="flex max-sm:hidden">
            <Chip tone="warn">Stale</Chip>
          </span>
        )}
        {note && (
          // On phones in a line of its own, which also has the room below the actions.
          <span
            className={cx(
              'min-w-0 flex-1 truncate text-secondary max-sm:-mr-12 max-sm:flex-none max-sm:first-letter:uppercase lg:min-w-20',
              toggle.enabled ? 'text-muted' : 'text-faint',
            )}
          >
            {note}
          </span>
        )}
      </span>
      <span className={cx('block truncate text-muted text-secondary', Boolean(note) && 'max-sm:hidden')}>
        {toggle.description}
      </span>
    </>
  ),
  skeleton: (width: number) => (
    <div className="grid min-w-0 grid-cols-1 gap-2 max-sm:col-span-2">
      <Skeleton width={Math.min(width, 180)} height={12} />
      <Skeleton width={width} height={10} />
    </div>
  ),
};

/** On phones, a dot separates the cell from the previous one. */
const DOT = "max-sm:before:mx-1.5 max-sm:before:content-['·']";

/** A chip; on phones, where the metadata is one line, text. */
const TYPE = cx(
  'flex items-center gap-1.5 whitespace-nowrap text-muted text-secondary',
  'sm:h-[22px] sm:rounded-chip sm:bg-chip sm:px-2 sm:font-semibold sm:text-label',
);

export const metadataColumns: readonly GridColumn<Toggle, ToggleRow>[] = [
  {
    header: 'Created',
    width: '104px',
    hiddenBelow: 'lg',
    sortKey: 'created',
    className: `truncate text-muted text-secondary max-sm:col-span-2 max-sm:col-start-4 max-sm:row-start-2 ${DOT}`,
    cell: ({ toggle }) => <Time value={toggle.createdAt} />,
  },
  {
    header: 'Last seen',
    width: '108px',
    hiddenBelow: 'md',
    sortKey: 'lastSeen',
    className: 'truncate text-muted text-secondary max-sm:hidden',
    cell: ({ toggle }) => <Time value={toggle.lastSeenAt} />,
  },
  {
    header: 'Type',
    width: '116px',
    sortKey: 'type',
    className: 'flex max-sm:col-start-3 max-sm:row-start-2',
    cell: ({ toggle, type }) => (
      <span className={TYPE}>
        {/* On phones, it is here, so that the name has the whole line. */}
        {toggle.stale && <span className="font-semibold text-warn sm:hidden">Stale ·</span>}
        <ToggleTypeIcon type={toggle.type} />
        {type}
      </span>
    ),
  },
];

/** Class of the cell with a row's action. On phones it is at the end of the first line, above the note. */
export const ACTION_CELL = `${CONTROL_CELL} justify-end max-sm:col-start-5 max-sm:row-start-1 max-sm:-mt-2.5 max-sm:self-start`;

const ICONS = new Map<string, IconComponent>([
  ['release', ReleaseIcon],
  ['experiment', ExperimentIcon],
  ['operational', OperationalIcon],
  ['kill-switch', KillSwitchIcon],
  ['permission', PermissionIcon],
]);

/** Icon of a toggle type. Types that only some servers have share one icon. */
export function ToggleTypeIcon({ type }: { type: string }) {
  const Icon = ICONS.get(type) ?? ToggleIcon;
  return <Icon className="shrink-0" />;
}
