import { useState } from 'react';
import { Link } from 'react-router-dom';
import { archivedFeatures } from '@/api/endpoints';
import { useMetrics, useProjects } from '@/api/reads';
import { ToggleFilterBar } from '@/domain/toggles/ToggleFilterBar';
import { getSorting } from '@/domain/toggles/ToggleSortMenu';
import { resolveProject } from '@/domain/toggles/toggleList';
import { clearedFilter, useToggleListSettings } from '@/domain/toggles/toggleListSettings';
import { useShownCounts } from '@/domain/toggles/useShownCounts';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { useUrlParams } from '@/shared/useUrlParams';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ArchiveIcon } from '@/ui/icons';
import { NoMatches } from '@/ui/NoMatches';
import { PageHeader } from '@/ui/PageHeader';
import { ArchiveTable, archiveColumns } from './components/ArchiveTable';
import { useArchive } from './useArchive';

export function ArchiveListPage() {
  const { toggles, total, error, reload, revive } = useArchive();
  const locale = useLocale();
  const projects = useProjects();
  const metrics = useMetrics(toggles !== undefined);
  const { settings, change } = useToggleListSettings(useUrlParams());
  const [revived, setRevived] = useState<string>();
  const counts = useShownCounts(metrics, settings);
  const currentProjectId = resolveProject(settings.currentProjectId, projects);
  const rows = useToggleRows(toggles ?? [], { ...settings, currentProjectId }, counts);

  return (
    <>
      <PageHeader
        title="Archived toggles"
        count={toggles?.length}
        actions={<CopyList items={rows} call={archivedFeatures} columns={archiveColumns} />}
      />
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
              revive={revive}
              onRevived={setRevived}
              sorting={getSorting({ settings, onChange: change })}
            />
          )}
        </div>
      )}
    </>
  );
}
