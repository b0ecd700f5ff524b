import { Plus } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { features } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { usePermission } from '@/api/permissions';
import { useMetrics, useProjects } from '@/api/reads';
import { projectInUse } from '@/lib/toggleList';
import { useToggleRows } from '@/lib/toggleListRows';
import { noFilter, useToggleListSettings } from '@/lib/toggleListSettings';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/buttonClass';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { NothingFound } from '@/ui/NothingFound';
import { PageHeader } from '@/ui/PageHeader';
import { ToggleFilterBar } from '@/ui/ToggleFilterBar';
import { NoToggles } from './components/NoToggles';
import { ToggleTable } from './components/ToggleTable';

export function ToggleListPage() {
  const { data, error, reload } = useRead(features);
  const toggles = data?.features;
  const projects = useProjects();
  const metrics = useMetrics(toggles !== undefined);
  const mayCreate = usePermission('CREATE_FEATURE');
  const { settings, change } = useToggleListSettings(useSearchParams());
  const counts = settings.showLastHour ? metrics?.lastHour : metrics?.lastMinute;
  const currentProjectId = projectInUse(settings.currentProjectId, projects);
  const rows = useToggleRows(toggles ?? [], { ...settings, currentProjectId }, counts);

  return (
    <>
      <PageHeader
        title="Feature toggles"
        count={toggles?.length}
        actions={
          mayCreate && (
            <Link to={paths.createToggle()} className={buttonClass({ variant: 'primary' })}>
              <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
              New toggle
            </Link>
          )
        }
      />
      {error && !toggles && <ErrorPanel title="The toggles could not be loaded" error={error} onRetry={reload} />}
      {toggles?.length === 0 && <NoToggles mayCreate={mayCreate} />}
      {!error && toggles?.length !== 0 && (
        <div className="grid gap-3">
          <ToggleFilterBar settings={{ ...settings, currentProjectId }} onChange={change} projects={projects} />
          {toggles && rows.length === 0 ? (
            <NothingFound total={toggles.length} onClear={() => change(noFilter)} />
          ) : (
            <ToggleTable toggles={toggles && rows} counts={counts} />
          )}
        </div>
      )}
    </>
  );
}
