import { type ReactNode, Suspense } from 'react';
import { features } from '@/api/endpoints';
import { isNotFound } from '@/api/error';
import { useRead } from '@/api/hooks';
import { useDisabledReason } from '@/api/permissions';
import { useMetricsStatus, useProjects } from '@/api/reads';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { prepareSearch, resolveProject } from '@/lib/toggleList';
import { useToggleRows } from '@/lib/useToggleRows';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { AddIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { RenderWhenIdle } from '@/ui/RenderWhenIdle';
import { ToggleFilterBar } from '@/ui/ToggleFilterBar';
import { ActiveFilters } from './components/ActiveFilters';
import { FilterButton } from './components/FilterButton';
import { ToggleRows } from './components/ToggleRows';
import { useToggleFilters } from './useToggleFilters';

const CopyToggles = lazyInIdle(() => import('./components/CopyToggles').then((part) => part.CopyToggles));
const ServerSupportBoundary = lazyInIdle(() =>
  import('./components/ServerSupportBoundary').then((part) => part.ServerSupportBoundary),
);
const OnSupportedServer = lazyInIdle(() =>
  import('./components/ServerSupportBoundary').then((part) => part.OnSupportedServer),
);
const NoToggles = lazyInIdle(() => import('./components/NoToggles').then((part) => part.NoToggles));

export function ToggleListPage() {
  const { data, error, reload } = useRead(features);
  const toggles = data?.features;
  const projects = useProjects();
  const { metrics, isUnsupported: countsAbsent } = useMetricsStatus(toggles !== undefined);
  const createDisabledReason = useDisabledReason('CREATE_FEATURE');
  const { facets, isIncluded, tagError, reloadTags, ...filters } = useToggleFilters();
  const settings = {
    ...filters.settings,
    currentProjectId: resolveProject(filters.settings.currentProjectId, projects),
  };
  const counts = settings.showLastHour ? metrics?.lastHour : metrics?.lastMinute;
  const rows = useToggleRows(toggles ?? [], settings, counts, isIncluded);
  const known = toggles && filters.isKnown ? rows : undefined;

  const list =
    toggles?.length === 0 ? (
      <Suspense>
        <NoToggles createDisabledReason={createDisabledReason} project={filters.newToggleProject} />
      </Suspense>
    ) : (
      <div className="grid gap-3">
        <ToggleFilterBar
          settings={settings}
          onChange={filters.change}
          projects={projects}
          onSearch={() => prepareSearch(toggles ?? [])}
        >
          <FilterButton facets={facets} onChange={filters.narrow} />
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
        {tagError && !known && (
          <ErrorPanel title="The toggles with these tags could not be loaded" error={tagError} onRetry={reloadTags} />
        )}
        {!tagError && (
          <ToggleRows toggles={known} total={toggles?.length ?? 0} counts={counts} onClearFilters={filters.clear} />
        )}
      </div>
    );

  const actions = (
    <>
      <RenderWhenIdle>
        {known && known.length > 0 && (
          <span className="max-sm:hidden">
            <CopyToggles toggles={known} />
          </span>
        )}
      </RenderWhenIdle>
      {createDisabledReason === undefined && <CreateLink project={filters.newToggleProject} />}
    </>
  );
  const failed = error && !toggles;
  // Such a server may lack features of the list and its heading.
  const isLimited = countsAbsent || (failed && isNotFound(error));
  const wrapIn = (Boundary: typeof ServerSupportBoundary, content: ReactNode) =>
    isLimited ? (
      <Suspense fallback={toggles && content}>
        <Boundary>{content}</Boundary>
      </Suspense>
    ) : (
      content
    );

  return (
    <>
      <PageHeader title="Feature toggles" count={toggles?.length} actions={wrapIn(OnSupportedServer, actions)} />
      {failed && !isLimited ? (
        <ErrorPanel title="The toggles could not be loaded" error={error} onRetry={reload} />
      ) : (
        wrapIn(ServerSupportBoundary, list)
      )}
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
