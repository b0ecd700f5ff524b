import { memo, useCallback } from 'react';
import { Link } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { useManager } from '@/api/managedToggles';
import { usePermission, useProfile } from '@/api/permissions';
import { useFeatureTypes } from '@/api/reads';
import { useHoldAction, useIsHeld } from '@/domain/holds/holds';
import {
  ACTION_CELL,
  CONTROL_CELL,
  metadataColumns,
  nameColumn,
  ringColumn,
  type ToggleRow,
  toggleRowHeight,
} from '@/domain/toggles/ToggleCells';
import { ToggleTableSkeleton } from '@/domain/toggles/ToggleTableSkeleton';
import { type CountsByName, getCounts } from '@/domain/toggles/toggleList';
import { YesRateRing } from '@/domain/toggles/YesRateRing';
import { cx } from '@/lib/cx';
import { usePrompt } from '@/lib/prompt';
import { paths } from '@/paths';
import { copyActions, copySubmenu } from '@/shared/CopyMenu';
import { useOpenPage } from '@/shared/navigation';
import { atHandClass } from '@/ui/atHand';
import { GridCells, type GridColumn, type Sorting } from '@/ui/GridColumn';
import { ActiveIcon, ArchiveIcon, FilesIcon, MoreIcon, SelectIcon, StaleIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { SelectAllCheckbox } from '@/ui/SelectAllCheckbox';
import { Skeleton } from '@/ui/Skeleton';
import { Table } from '@/ui/Table';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { RowCheckbox } from '../bulk/RowCheckbox';
import type { Selection } from '../bulk/useSelection';
import { editState } from '../page/editState';
import { useToggleWrites } from '../saving/useToggleWrites';
import { ArchiveDialog } from './ArchiveDialog';
import { copiedToggle } from './copiedToggle';
import { describeAudience } from './describeAudience';
import { holdItem } from './holdItem';
import { ToggleSwitch } from './ToggleSwitch';

const SELECT = 'Select';

interface ListRow extends ToggleRow {
  /** Calls, as numbers, so that memoized rows render again only if they changed. */
  yes: number | undefined;
  no: number | undefined;
  selected: boolean;
  isReadOnly: boolean;
  switchDisabledReason: string | undefined;
  updateDisabledReason: string | undefined;
  archiveDisabledReason: string | undefined;
  onSelect: Selection['set'];
  onArchive: (toggle: Toggle) => void;
}

/** Class of a cell that appears with the pointer or the focus in its row, or while rows are selected. */
const AT_HAND = cx(atHandClass, 'group-data-selecting:opacity-100');

/** Frames the ring, which is only a number while the row is at rest. */
const METRICS_LINK =
  'absolute -inset-1.5 rounded-control sm:[@media(hover:hover)]:border sm:[@media(hover:hover)]:border-line-strong';

const selectColumn: GridColumn<Toggle, ListRow> = {
  header: SELECT,
  width: '28px',
  className: `${CONTROL_CELL} ${AT_HAND} max-sm:row-span-2 max-sm:hidden max-sm:group-data-selecting:flex`,
  cell: ({ toggle, selected, onSelect }) => <RowCheckbox name={toggle.name} checked={selected} onChoose={onSelect} />,
  skeleton: () => (
    <span className="max-sm:hidden">
      <Skeleton width={16} height={16} />
    </span>
  ),
};

export const toggleColumns: readonly GridColumn<Toggle, ListRow>[] = [
  {
    ...ringColumn,
    className: `${ringColumn.className} max-sm:group-data-selecting:hidden`,
    cell: ({ toggle, yes, no }) => (
      <span className="relative inline-flex">
        <YesRateRing counts={yes === undefined || no === undefined ? undefined : { yes, no }} />
        <Link to={paths.toggle(toggle.name, 'view')} className={cx(METRICS_LINK, atHandClass)}>
          <VisuallyHidden>Metrics of {toggle.name}</VisuallyHidden>
        </Link>
      </span>
    ),
  },
  {
    header: 'On',
    width: '48px',
    sortKey: 'enabled',
    className: `${CONTROL_CELL} max-sm:row-span-2`,
    cell: ({ toggle, switchDisabledReason }) => <ToggleSwitch toggle={toggle} disabledReason={switchDisabledReason} />,
    skeleton: () => <Skeleton width={34} height={20} />,
  },
  nameColumn,
  ...metadataColumns,
  {
    header: 'Actions',
    hideHeader: true,
    width: '36px',
    className: `${ACTION_CELL} ${AT_HAND}`,
    cell: ({ selected, onSelect, ...row }) => <RowMenu {...row} onSelect={selected ? undefined : onSelect} />,
  },
];

const selectableColumns = [selectColumn, ...toggleColumns];

const togglePhoneColumns = '40px 50px auto minmax(0,1fr) 44px';

interface Props {
  /** Undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  counts: CountsByName | undefined;
  selection: Selection;
  sorting: Sorting;
}

export function ToggleTable({ toggles, counts, selection, sorting }: Props) {
  const types = useFeatureTypes();
  const open = useOpenPage();
  const [archiving, archiveState] = usePrompt<Toggle>();
  // Computed once for all rows, because rows must render quickly while scrolling.
  const switchDisabledReason = usePermission('UPDATE_FEATURE_ENVIRONMENT');
  const updateDisabledReason = usePermission('UPDATE_FEATURE');
  const archiveDisabledReason = usePermission('DELETE_FEATURE');
  const isReadOnly = useIsReadOnly();
  const columns = isReadOnly ? toggleColumns : selectableColumns;
  const { names, set } = selection;
  const cells = useCallback(
    (toggle: Toggle) => {
      const callCounts = getCounts(counts, toggle.name);
      const type = types.find(({ id }) => id === toggle.type)?.name ?? toggle.type;
      return (
        <Cells
          toggle={toggle}
          yes={callCounts?.yes}
          no={callCounts?.no}
          type={type}
          href={paths.toggle(toggle.name)}
          isReadOnly={isReadOnly}
          selected={names.has(toggle.name)}
          switchDisabledReason={switchDisabledReason}
          updateDisabledReason={updateDisabledReason}
          archiveDisabledReason={archiveDisabledReason}
          onSelect={set}
          onArchive={archiving.ask}
        />
      );
    },
    [
      counts,
      types,
      names,
      set,
      archiving,
      isReadOnly,
      switchDisabledReason,
      updateDisabledReason,
      archiveDisabledReason,
    ],
  );
  const layout = { columns, phoneColumns: togglePhoneColumns };
  if (!toggles) return <ToggleTableSkeleton {...layout} />;
  return (
    <div className="group" data-selecting={selection.toggles.length > 0 || undefined}>
      <Table
        {...layout}
        label="Feature toggles"
        rows={toggles}
        rowKey={nameOf}
        rowHeight={toggleRowHeight}
        sorting={sorting}
        onEdit={({ name }) => void open(paths.toggle(name), { state: editState })}
        headerControls={{
          [SELECT]: (
            <span className={cx('flex', AT_HAND)}>
              <SelectAllCheckbox
                label={`Select all ${toggles.length}`}
                count={selection.toggles.length}
                total={toggles.length}
                onChange={selection.setAll}
              />
            </span>
          ),
        }}
      >
        {cells}
      </Table>
      {archiveState && <ArchiveDialog prompt={archiving} toggle={archiveState.question} />}
    </div>
  );
}

const nameOf = ({ name }: Toggle) => name;

/** Returns whether the user can change no toggle at all. An outage or a loading profile is temporary. */
function useIsReadOnly(): boolean {
  const reasons = [
    usePermission('UPDATE_FEATURE', { ignoresOutage: true }),
    usePermission('UPDATE_FEATURE_ENVIRONMENT', { ignoresOutage: true }),
    usePermission('DELETE_FEATURE', { ignoresOutage: true }),
  ];
  return useProfile() !== undefined && !reasons.includes(undefined);
}

const Cells = memo(function Cells(row: ListRow) {
  // Here, so that it is computed for rendered rows only.
  const audience = describeAudience(row.toggle);
  const isHeld = useIsHeld(row.toggle.name);
  const manager = useManager(row.toggle.name);
  const note =
    isHeld || manager ? (
      <>
        {manager && <ManagedIcon text={`Managed by ${manager}`} />}
        {isHeld && <b className="font-semibold text-warn">Held for SDKs</b>}
        {isHeld && audience && ' · '}
        {audience}
      </>
    ) : (
      audience
    );
  return <GridCells columns={row.isReadOnly ? toggleColumns : selectableColumns} row={{ ...row, note }} />;
});

/** Says in a tooltip that files manage the toggle. The page of the toggle shows it as text. */
function ManagedIcon({ text }: { text: string }) {
  return (
    <span data-tip={text} className="relative z-1 mr-1 inline-flex align-[-2px]">
      <FilesIcon size={14} />
      <VisuallyHidden>{text}.</VisuallyHidden>
    </span>
  );
}

interface RowMenuProps {
  toggle: Toggle;
  /** Hides the entries that change the toggle. */
  isReadOnly: boolean;
  updateDisabledReason: string | undefined;
  archiveDisabledReason: string | undefined;
  onArchive: (toggle: Toggle) => void;
  /** Selects the row, on screens without checkboxes; undefined if it is already selected. */
  onSelect: Selection['set'] | undefined;
}

function RowMenu({ toggle, isReadOnly, ...options }: RowMenuProps) {
  const { updateDisabledReason, archiveDisabledReason, onArchive, onSelect } = options;
  const { setStale } = useToggleWrites();
  const hold = useHoldAction();
  const StatusIcon = toggle.stale ? ActiveIcon : StaleIcon;
  return (
    <Menu
      label={`Actions for ${toggle.name}`}
      trigger={{ icon: <MoreIcon size={17} /> }}
      items={
        isReadOnly
          ? copyActions(copiedToggle(toggle))
          : [
              {
                id: 'status',
                label: toggle.stale ? 'Set toggle Active' : 'Mark toggle as Stale',
                icon: <StatusIcon />,
                disabledReason: updateDisabledReason,
                onSelect: () => void setStale(toggle, !toggle.stale),
              },
              ...(onSelect
                ? [
                    {
                      id: 'select',
                      label: 'Select',
                      icon: <SelectIcon />,
                      onSelect: () => onSelect({ name: toggle.name, checked: true, range: false }),
                    },
                  ]
                : []),
              { separator: true },
              copySubmenu(copiedToggle(toggle)),
              ...(hold.isOffered ? [holdItem(toggle.name, hold.disabledReason)] : []),
              {
                id: 'archive',
                label: 'Archive',
                icon: <ArchiveIcon />,
                tone: 'danger',
                disabledReason: archiveDisabledReason,
                onSelect: () => onArchive(toggle),
              },
            ]
      }
    />
  );
}
