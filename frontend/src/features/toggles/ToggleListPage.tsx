import { isNotFound } from '@/api/error';
import { useIsProfileLoading, usePermission } from '@/api/permissions';
import { useMetricsStatus, useProjects } from '@/api/reads';
import { useToggleList } from '@/api/toggles';
import { ToggleFilterBar } from '@/domain/toggles/ToggleFilterBar';
import { getSorting } from '@/domain/toggles/ToggleSortMenu';
import { resolveProject } from '@/domain/toggles/toggleList';
import { useShownCounts } from '@/domain/toggles/useShownCounts';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { AddIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { ActiveFilters } from './list/ActiveFilters';
import { CopyToggles } from './list/CopyToggles';
import { FilterPanel } from './list/FilterPanel';
import { NoToggles } from './list/NoToggles';
import { ToggleRows } from './list/ToggleRows';
import { UnknownStrategiesNote } from './list/UnknownStrategiesNote';
import { useStrategiesOnDemand } from './list/useStrategiesOnDemand';
import { useToggleFilters } from './list/useToggleFilters';
import { OnSupportedServer, ServerSupportBoundary } from './unsupported/ServerSupportBoundary';

export function ToggleListPage() {
  const { data, error, reload } = useToggleList();
  const { toggles, ...strategies } = useStrategiesOnDemand(data?.features);
  const projects = useProjects();
  const { metrics, isUnsupported: countsAbsent } = useMetricsStatus(toggles !== undefined);
  const createDisabledReason = usePermission('CREATE_FEATURE');
  const isProfileLoading = useIsProfileLoading();
  const { facets, isIncluded, tagError, reloadTags, ...filters } = useToggleFilters();
  const settings = {
    ...filters.settings,
    currentProjectId: resolveProject(filters.settings.currentProjectId, projects),
  };
  const counts = useShownCounts(metrics, settings);
  const isSortedByStrategies = settings.sort === 'strategies';
  const rows = useToggleRows(toggles ?? [], settings, counts, isIncluded);
  const known = toggles && filters.isKnown ? rows : undefined;

  const list =
    toggles?.length === 0 ? (
      <NoToggles createDisabledReason={createDisabledReason} project={filters.newToggleProject} />
    ) : (
      <div className="grid gap-3 max-sm:gap-2.5">
        <ToggleFilterBar settings={settings} onChange={filters.change} projects={projects}>
          <FilterPanel facets={facets} onChange={filters.narrow} />
        </ToggleFilterBar>
        <ActiveFilters
          {...filters}
          settings={settings}
          facets={facets}
          projects={projects}
          shown={known?.length}
          total={toggles?.length}
          onClear={filters.clear}
        />
        {strategies.areUnknown && (isSortedByStrategies || settings.filter !== '') && (
          <UnknownStrategiesNote {...strategies} isSorted={isSortedByStrategies} />
        )}
        {tagError && !known && (
          <ErrorPanel title="The toggles with these tags could not be loaded" error={tagError} onRetry={reloadTags} />
        )}
        {!tagError && (
          <ToggleRows
            toggles={known}
            total={toggles?.length ?? 0}
            counts={counts}
            sorting={getSorting({ settings, onChange: filters.change })}
            onClearFilters={filters.clear}
          />
        )}
      </div>
    );

  // All at once: the copy menu would move when the link to the form appears beside it.
  const actions = !isProfileLoading && (
    <>
      {known && known.length > 0 && (
        <span className="max-sm:hidden">
          <CopyToggles toggles={known} />
        </span>
      )}
      <span className="flex gap-2.5 max-sm:hidden">
        <LinkButton to={paths.evaluation()}>Evaluate</LinkButton>
        <LinkButton to={paths.projects()}>Projects</LinkButton>
      </span>
      {createDisabledReason === undefined && <CreateLink project={filters.newToggleProject} />}
    </>
  );
  const failed = error && !toggles;
  // Such a server may lack features of the list and its heading.
  const isLimited = countsAbsent || (failed && isNotFound(error));
  const content =
    failed && !isLimited ? <ErrorPanel title="The toggles could not be loaded" error={error} onRetry={reload} /> : list;
  return (
    <>
      <PageHeader
        title="Feature toggles"
        count={toggles?.length}
        actions={isLimited ? <OnSupportedServer>{actions}</OnSupportedServer> : actions}
      />
      {isLimited ? <ServerSupportBoundary>{content}</ServerSupportBoundary> : content}
    </>
  );
}

function CreateLink({ project }: { project: string | undefined }) {
  return (
    <LinkButton to={paths.createToggle(undefined, project)} variant="primary" icon={<AddIcon />}>
      <span>
        New<span className="max-sm:sr-only"> toggle</span>
      </span>
    </LinkButton>
  );
}
