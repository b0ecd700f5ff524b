import { type ReactNode, useMemo, useState } from 'react';
import { features, featuresWithStrategies, loadExamples } from '@/api/endpoints';
import { type ApiError, isNotFound } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { areStrategiesKnown } from '@/api/newerTypes';
import { pushInfo } from '@/api/notices';
import { usePastView } from '@/api/pastView';
import { useIsProfileLoading, usePermission } from '@/api/permissions';
import { useMetricsStatus, useProjects } from '@/api/reads';
import { useHasSdkToggles } from '@/api/sdkToggles';
import { useSettings } from '@/api/settings';
import { useToggleList } from '@/api/toggles';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { IntervalField, ToggleFilterBar } from '@/domain/toggles/ToggleFilterBar';
import { type CountsByName, getSorting, resolveProject } from '@/domain/toggles/toggleList';
import { useShownCounts } from '@/domain/toggles/useShownCounts';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { useStore } from '@/lib/store';
import { paths, sections } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import type { Sorting } from '@/ui/GridColumn';
import { AddIcon, OffIcon } from '@/ui/icons';
import { lazyDialog, lazyPage } from '@/ui/lazy';
import { NoMatches } from '@/ui/NoMatches';
import { PageHeader } from '@/ui/PageHeader';
import { bulkState } from './bulk/bulkState';
import { useSelection } from './bulk/useSelection';
import { ActiveFilters, FilterPanel, StaleFilter } from './list/ActiveFilters';
import { ToggleListActions, ToggleListMenu } from './list/ToggleListActions';
import { ToggleTable } from './list/ToggleTable';
import { useToggleFilters } from './list/useToggleFilters';
import { UnsupportedMetricsNote, UnsupportedServerPanel } from './unsupported/UnsupportedServerPanel';

export function ToggleListPage() {
  const view = usePastView();
  return view ? <PastToggleList view={view} /> : <CurrentToggleList />;
}

const SdkToggleList = lazyPage(() => import('./sdk/SdkToggleList'), 'SdkToggleList');
const PastToggleList = lazyPage(() => import('./past/PastToggleList'), 'PastToggleList');

function CurrentToggleList() {
  const { data, error, reload } = useToggleList();
  const hasSdkToggles = useHasSdkToggles();
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
  const staleCount = known?.filter(({ stale }) => stale).length ?? 0;

  const list =
    toggles?.length === 0 ? (
      <NoToggles createDisabledReason={createDisabledReason} project={filters.newToggleProject} />
    ) : (
      <div className="grid gap-3 max-sm:gap-2.5">
        <ToggleFilterBar
          settings={settings}
          onChange={filters.change}
          projects={projects}
          menu={<ToggleListMenu toggles={known} />}
        >
          <FilterPanel facets={facets} onChange={filters.narrow} />
          <IntervalField settings={settings} onChange={filters.change} />
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
            sorting={getSorting(settings, filters.change)}
            onClearFilters={filters.clear}
            createLink={
              createDisabledReason === undefined && (
                <CreateNamedLink name={settings.filter} toggles={toggles} project={filters.newToggleProject} />
              )
            }
          />
        )}
      </div>
    );

  // All at once: the buttons would move when the link to the form appears beside them.
  const actions = !isProfileLoading && (
    <ToggleListActions toggles={known}>
      {createDisabledReason === undefined && <CreateToggleLink project={filters.newToggleProject} />}
    </ToggleListActions>
  );
  const failed = error && !toggles;
  // Such a server may lack features of the list and its heading.
  const isLimited = countsAbsent || (failed && isNotFound(error));
  if (failed && hasSdkToggles) {
    return (
      <>
        <PageHeader title={sections.toggles.label} />
        <SdkToggleList />
      </>
    );
  }
  const content =
    failed && !isLimited ? <ErrorPanel title="The toggles could not be loaded" error={error} onRetry={reload} /> : list;
  return (
    <>
      <PageHeader
        title="Feature toggles"
        count={toggles?.length}
        quickFilter={staleCount > 0 && <StaleFilter count={staleCount} facets={facets} onChange={filters.narrow} />}
        actions={isLimited ? <OnSupportedServer>{actions}</OnSupportedServer> : actions}
      />
      {isLimited ? <ServerSupportBoundary>{content}</ServerSupportBoundary> : content}
    </>
  );
}

function CreateToggleLink({ project }: { project: string | undefined }) {
  return (
    <LinkButton to={paths.createToggle(undefined, project)} variant="primary" icon={<AddIcon />}>
      <span>
        New<span className="max-sm:sr-only"> toggle</span>
      </span>
    </LinkButton>
  );
}

interface CreateNamedLinkProps {
  /** The searched text. */
  name: string;
  toggles: readonly Toggle[] | undefined;
  project: string | undefined;
}

/** Creates a toggle with the searched name, unless another filter hides the toggle of that name. */
function CreateNamedLink({ name, toggles, project }: CreateNamedLinkProps) {
  if (!TOGGLE_NAME.test(name) || toggles?.some((toggle) => toggle.name === name)) return null;
  return (
    <LinkButton to={paths.createToggle(name, project)} icon={<AddIcon />}>
      Create {name}
    </LinkButton>
  );
}

/** Names that need no escaping in a URL. The search may be a pattern instead. */
const TOGGLE_NAME = /^[\w.~-]{2,100}$/u;

const BulkBar = lazyDialog(() => import('./bulk/BulkBar'), 'BulkBar');

const NONE: readonly Toggle[] = [];

interface ToggleRowsProps {
  /** Filtered toggles; undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  total: number;
  counts: CountsByName | undefined;
  sorting: Sorting;
  onClearFilters: () => void;
  /** Shown if no toggle matches. */
  createLink: ReactNode;
}

function ToggleRows({ toggles, total, counts, sorting, onClearFilters, createLink }: ToggleRowsProps) {
  const selection = useSelection(toggles ?? NONE);
  const bulk = useStore(bulkState);
  return (
    <>
      {toggles?.length === 0 ? (
        <NoMatches total={total} onClear={onClearFilters}>
          {createLink}
        </NoMatches>
      ) : (
        <ToggleTable toggles={toggles} counts={counts} selection={selection} sorting={sorting} />
      )}
      {(selection.toggles.length > 0 || bulk) && (
        <BulkBar selection={selection} total={toggles?.length ?? 0} bulk={bulk} />
      )}
    </>
  );
}

interface UnknownStrategiesNoteProps
  extends Pick<StrategiesOnDemand, 'isPartlyKnown' | 'isLoading' | 'error' | 'load'> {
  /** The list is sorted by strategies, instead of only searched. */
  isSorted: boolean;
}

/** Says that a filter or a sort order ignores strategies, and offers to load them. */
function UnknownStrategiesNote({ isSorted, isPartlyKnown, isLoading, error, load }: UnknownStrategiesNoteProps) {
  const effect = isPartlyKnown ? partialEffect(isSorted) : absentEffect(isSorted);
  const action = isPartlyKnown ? 'Load all strategies' : 'Load strategies';
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-4 py-2">
      <p className="min-w-0 flex-1 text-muted text-secondary">
        {error ? `The strategies could not be loaded. ${error.message}` : effect}
      </p>
      <Button size="small" busy={isLoading} onClick={load}>
        {error ? 'Retry' : action}
      </Button>
    </div>
  );
}

function absentEffect(isSorted: boolean): string {
  const effect = isSorted ? 'The list is not sorted by strategies' : 'The filter does not search strategies';
  return `${effect}: they are not loaded.`;
}

function partialEffect(isSorted: boolean): string {
  const effect = isSorted ? 'The list is sorted by' : 'The filter searches';
  return `${effect} enabled strategies without their titles.`;
}

interface ServerSupportBoundaryProps {
  children: ReactNode;
}

/** Shows a list with a note about missing metrics, or a panel if the server is unsupported. */
function ServerSupportBoundary({ children }: ServerSupportBoundaryProps) {
  const unsupported = useUnsupportedServer();
  if (unsupported) return <UnsupportedServerPanel error={unsupported} />;
  return (
    <div className="grid gap-3">
      <UnsupportedMetricsNote />
      {children}
    </div>
  );
}

/** Hides its children on unsupported servers. */
function OnSupportedServer({ children }: ServerSupportBoundaryProps) {
  return useUnsupportedServer() ? null : children;
}

interface NoTogglesProps {
  createDisabledReason: string | undefined;
  /** Project of a new toggle, if it differs from the stored project. */
  project: string | undefined;
}

function NoToggles({ createDisabledReason, project }: NoTogglesProps) {
  const canCreate = createDisabledReason === undefined;
  const embedded = useSettings()?.mode === 'embedded';
  const { load, loading } = useLoadExamples();
  const offersExamples = embedded && canCreate;
  return (
    <Card>
      <EmptyState
        icon={<OffIcon size={22} />}
        title="Empty list of feature toggles"
        actions={
          canCreate && (
            <>
              {offersExamples && (
                <Button busy={loading} onClick={load}>
                  Load example toggles
                </Button>
              )}
              <LinkButton to={paths.createToggle(undefined, project)} icon={<AddIcon />}>
                New toggle
              </LinkButton>
            </>
          )
        }
      >
        <p>
          A toggle controls at run time who gets a feature. Create a toggle, check it by name in your code, and switch
          it here.
        </p>
        {offersExamples && (
          <p className="mt-2">Or explore the console with example toggles, which you can archive at any time.</p>
        )}
        {!canCreate && <p className="mt-2">{createDisabledReason}</p>}
      </EmptyState>
    </Card>
  );
}

/** Loads the example toggles of the embedded service. */
function useLoadExamples() {
  const { send, busy } = useWrite();
  function load() {
    send(loadExamples, { refreshes: [features] }).then(
      (response) => pushInfo(`${response?.created ?? 0} example toggles loaded.`),
      () => undefined,
    );
  }
  return { load, loading: busy };
}

// Strategies of the toggle list. The list of a newer server has none, because reading them takes seconds there.

interface StrategiesOnDemand {
  /** The toggles, with their strategies as far as they are loaded. */
  toggles: readonly Toggle[] | undefined;
  /** The strategies of some toggles are not loaded. */
  areUnknown: boolean;
  /** Some of them are known, but not their ids, titles and disabled strategies. */
  isPartlyKnown: boolean;
  isLoading: boolean;
  error: ApiError | undefined;
  load: () => void;
}

function useStrategiesOnDemand(listed: readonly Toggle[] | undefined): StrategiesOnDemand {
  const [isWanted, setWanted] = useState(false);
  const isPartial = useMemo(() => listed?.some((toggle) => !areStrategiesKnown(toggle)) ?? false, [listed]);
  const { data, error, isLoading, reload } = useRead(isWanted && isPartial ? featuresWithStrategies : null);
  const loaded = data?.features;
  // The listed toggles are newer: writes change them.
  const toggles = useMemo(() => listed && loaded && addStrategies(listed, loaded), [listed, loaded]);
  return {
    toggles: toggles ?? listed,
    areUnknown: isPartial && !toggles?.every(areStrategiesKnown),
    isPartlyKnown: isPartial && (listed?.some(({ strategies }) => strategies.length > 0) ?? false),
    isLoading,
    error,
    load: isWanted ? reload : () => setWanted(true),
  };
}

function addStrategies(listed: readonly Toggle[], loaded: readonly Toggle[]): Toggle[] {
  const byName = new Map(loaded.filter(areStrategiesKnown).map((toggle) => [toggle.name, toggle.strategies]));
  return listed.map((toggle) => {
    const strategies = byName.get(toggle.name);
    return strategies && !areStrategiesKnown(toggle) ? { ...toggle, strategies, strategiesKnown: true } : toggle;
  });
}
