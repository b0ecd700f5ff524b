import { useState } from 'react';
import { Link } from 'react-router-dom';
import { archivedFeatures } from '@/api/endpoints';
import type { Counts, Event, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import type { NewerArchive } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { useFeatureTypes, useMetrics, useProjects } from '@/api/reads';
import {
  ACTION_CELL,
  metadataColumns,
  nameColumn,
  ringColumn,
  type ToggleRow,
  toggleRowHeight,
} from '@/domain/toggles/ToggleCells';
import { ToggleFilterBar } from '@/domain/toggles/ToggleFilterBar';
import { ToggleTableSkeleton } from '@/domain/toggles/ToggleTableSkeleton';
import { type CountsByName, getCounts, getSorting, resolveProject } from '@/domain/toggles/toggleList';
import { clearedFilter, useToggleListSettings } from '@/domain/toggles/toggleListSettings';
import { useRevive } from '@/domain/toggles/useRevive';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { YesRateRing } from '@/domain/toggles/YesRateRing';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { useUrlParams } from '@/shared/useUrlParams';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { GridCells, type GridColumn, type Sorting } from '@/ui/GridColumn';
import { ArchiveIcon, ReviveIcon } from '@/ui/icons';
import { NoMatches } from '@/ui/NoMatches';
import { PageHeader } from '@/ui/PageHeader';
import { Table } from '@/ui/Table';
import { Time } from '@/ui/Time';
import { useArchivals } from './useArchivals';

export function ArchiveListPage() {
  const { data, error, reload } = useRead(archivedFeatures);
  const toggles = data?.features;
  const { total }: Partial<NewerArchive> = data ?? {};
  const locale = useLocale();
  const projects = useProjects();
  const metrics = useMetrics(toggles !== undefined);
  const { settings, change } = useToggleListSettings(useUrlParams());
  const [revived, setRevived] = useState<string>();
  const counts = metrics?.lastHour;
  const currentProjectId = resolveProject(settings.currentProjectId, projects);
  const archivals = useArchivals(toggles !== undefined && toggles.length > 0);
  const rows = useToggleRows(toggles ?? [], { ...settings, currentProjectId }, counts);

  return (
    <>
      <PageHeader title="Archived toggles" count={toggles?.length} actions={<CopyList items={rows} />} />
      <p role="status" className={revived === undefined ? 'sr-only' : 'mb-3 text-on'}>
        {revived !== undefined && (
          <>
            <Link to={paths.toggle(revived)} className="font-semibold underline">
              {revived}
            </Link>{' '}
            was revived.
          </>
        )}
      </p>
      {total !== undefined && toggles && (
        <p role="note" className="mb-3 rounded-control bg-sunken px-4 py-2 text-muted text-secondary">
          These are the {formatNumber(toggles.length, locale)} newest of {formatNumber(total, locale)} archived toggles.
          This server limits searches; its own console shows the others.
        </p>
      )}
      {error && !toggles && <ErrorPanel title="The archive could not be loaded" error={error} onRetry={reload} />}
      {toggles?.length === 0 && (
        <Card>
          <EmptyState icon={<ArchiveIcon size={20} />} title="No archived toggles">
            Archive a toggle when your code no longer uses it. Archived toggles stay here and can be revived with all
            their settings.
          </EmptyState>
        </Card>
      )}
      {!(error && !toggles) && toggles?.length !== 0 && (
        <div className="grid gap-3 max-sm:gap-2.5">
          <ToggleFilterBar settings={{ ...settings, currentProjectId }} onChange={change} projects={projects} />
          {toggles && rows.length === 0 ? (
            <NoMatches total={toggles.length} onClear={() => change(clearedFilter)} />
          ) : (
            <ArchiveTable
              toggles={toggles && rows}
              counts={counts}
              archivals={archivals}
              onRevived={setRevived}
              sorting={getSorting(settings, change)}
            />
          )}
        </div>
      )}
    </>
  );
}

interface ArchiveRow extends ToggleRow, ReviveButtonProps {
  counts: Counts | undefined;
}

/** Shown if an application still uses one of the toggles. */
const usageColumn: GridColumn<Toggle, ArchiveRow> = {
  ...ringColumn,
  cell: ({ counts }) => <YesRateRing counts={counts} />,
};

const archiveColumns: readonly GridColumn<Toggle, ArchiveRow>[] = [
  nameColumn,
  ...metadataColumns.filter(({ header }) => header !== 'Last seen'),
  {
    header: 'Revive',
    hideHeader: true,
    width: '92px',
    className: ACTION_CELL,
    cell: (row) => <ReviveButton {...row} />,
  },
];

const unusedLayout = { columns: archiveColumns, phoneColumns: '0 0 auto minmax(0,1fr) 44px' };
const usedLayout = { columns: [usageColumn, ...archiveColumns], phoneColumns: '44px 0 auto minmax(0,1fr) 44px' };

interface ArchiveTableProps {
  /** Undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  /** Calls of archived toggles: an application still uses a toggle that has any. */
  counts: CountsByName | undefined;
  archivals: ReadonlyMap<string, Event>;
  onRevived: (name: string) => void;
  sorting: Sorting;
}

function ArchiveTable({ toggles, counts, archivals, onRevived, sorting }: ArchiveTableProps) {
  const types = useFeatureTypes();
  const disabledReason = usePermission('UPDATE_FEATURE');
  const { revive, dialog } = useRevive();
  const layout = toggles?.some(({ name }) => getCounts(counts, name)) ? usedLayout : unusedLayout;
  const cells = (toggle: Toggle) => {
    const type = types.find(({ id }) => id === toggle.type)?.name ?? toggle.type;
    const href = paths.archivedToggle(toggle.name);
    const archival = archivals.get(toggle.name);
    const row = {
      toggle,
      type,
      href,
      note: archival && <Archival event={archival} />,
      counts: getCounts(counts, toggle.name),
      disabledReason,
      revive,
      onRevived,
    };
    return <GridCells columns={layout.columns} row={row} />;
  };
  if (!toggles) return <ToggleTableSkeleton {...layout} />;
  return (
    <>
      <Table
        {...layout}
        label="Archived toggles"
        rows={toggles}
        rowKey={nameOf}
        rowHeight={toggleRowHeight}
        sorting={sorting}
      >
        {cells}
      </Table>
      {dialog}
    </>
  );
}

/** Who archived the toggle, and when. */
function Archival({ event: { createdBy, createdAt } }: { event: Event }) {
  return (
    <>
      Archived <Time value={createdAt} />
      {createdBy && ` by ${createdBy}`}
    </>
  );
}

const nameOf = ({ name }: Toggle) => name;

interface ReviveButtonProps {
  toggle: Toggle;
  disabledReason: string | undefined;
  revive: (toggle: Toggle) => Promise<boolean>;
  onRevived: (name: string) => void;
}

function ReviveButton({ toggle, disabledReason, revive, onRevived }: ReviveButtonProps) {
  const [busy, setBusy] = useState(false);

  async function press() {
    setBusy(true);
    if (await revive(toggle)) onRevived(toggle.name);
    setBusy(false);
  }

  return (
    <Button
      variant="ghost"
      size="small"
      aria-label={`Revive ${toggle.name}`}
      icon={<ReviveIcon />}
      busy={busy}
      disabledReason={disabledReason}
      onClick={() => void press()}
    >
      <span className="max-sm:sr-only">Revive</span>
    </Button>
  );
}
