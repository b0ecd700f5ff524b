import { type ReactNode, useCallback, useMemo } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { tags as allTags } from '@/api/endpoints';
import type { EvaluationResult, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { usePastView } from '@/api/pastView';
import { useProjects } from '@/api/reads';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import { useComparedContext, useLabContext } from '@/domain/evaluation/labContext';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
import { useClockItems } from '@/domain/past/clockPrompt';
import { PastPage } from '@/domain/past/PastPage';
import { formatTag } from '@/domain/tags/tags';
import { ToggleTableSkeleton } from '@/domain/toggles/ToggleTableSkeleton';
import { ProjectSelect } from '@/domain/toggles/ToggleFilterBar';
import { formatTagParam } from '@/domain/toggles/toggleFacets';
import { allProjects, resolveProject } from '@/domain/toggles/toggleList';
import { defaultSettings } from '@/domain/toggles/toggleListSettings';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { useSearch } from '@/lib/useSearch';
import { paths, sections } from '@/paths';
import { ActionsMenu, copyActions } from '@/shared/CopyMenu';
import { LinkButton } from '@/shared/LinkButton';
import { Card } from '@/ui/Card';
import { CountOf } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { GridCells } from '@/ui/GridColumn';
import { ExperimentIcon, FilterIcon, TagIcon } from '@/ui/icons';
import { NoMatches } from '@/ui/NoMatches';
import { PageHeader } from '@/ui/PageHeader';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import { Table } from '@/ui/Table';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { CompareForm } from './CompareForm';
import { getLayout, hasOtherVariant, hasVariant, type ResultLayout } from './resultColumns';
import { type EvaluatedToggle, useEvaluatedToggles } from './useEvaluatedToggles';
import { type EvaluationFilters, useEvaluationFilters } from './useEvaluationFilters';

/** Page that evaluates all toggles for one context. */
export function EvaluationPage() {
  const view = usePastView();
  if (!view) return <Evaluation />;
  return (
    <PastPage view={view} header={() => <EvaluationHeader />}>
      {() => <Evaluation />}
    </PastPage>
  );
}

function EvaluationHeader({ actions }: { actions?: ReactNode }) {
  return <PageHeader title={sections.evaluation.label} actions={actions} />;
}

function Evaluation() {
  const view = usePastView();
  const [context, changeContext] = useLabContext();
  const comparison = useComparedContext();
  const evaluation = useEvaluatedToggles(context, comparison.compared);
  const search = useEvaluationFilters();
  const { rows, counts } = useResultRows(evaluation, search);
  const { evaluated: first, compared: second } = evaluation.contexts;
  const hasVariants = rows?.some(hasVariant) ?? false;
  const layout = useMemo(() => getLayout({ hasVariants, first, second }), [hasVariants, first, second]);
  const { toggles, error } = evaluation;
  return (
    <>
      {!view && <EvaluationHeader actions={<ResultActions rows={rows ?? []} />} />}
      <div className="grid gap-4">
        <Card>
          <ContextForm context={context} onChange={changeContext} />
        </Card>
        <CompareForm comparison={comparison} />
        <EvaluationNotes {...evaluation} />
        {error && <ErrorPanel title="The toggles could not be evaluated" error={error} onRetry={evaluation.retry} />}
        {!error && toggles?.length === 0 && (
          <Card>
            <EmptyState
              icon={<ExperimentIcon size={20} />}
              title="No toggles to evaluate"
              actions={<LinkButton to={paths.toggles()}>Feature toggles</LinkButton>}
            >
              When there are toggles, this page shows which of them are on for a user, and why.
            </EmptyState>
          </Card>
        )}
        {!error && toggles?.length !== 0 && (
          <div className="grid gap-3 max-sm:gap-2.5">
            <EvaluationFilterBar
              {...search}
              counts={counts}
              differing={second && rows?.filter(({ differs }) => differs).length}
              shown={rows?.length}
              total={toggles?.length}
            />
            {search.tagError && !rows ? (
              <ErrorPanel
                title="The toggles with this tag could not be loaded"
                error={search.tagError}
                onRetry={search.reloadTag}
              />
            ) : (
              <ResultTable
                rows={rows}
                layout={layout}
                total={toggles?.length ?? 0}
                busy={evaluation.isRunning}
                onClearFilters={search.clear}
              />
            )}
            {/* Below the results, and only if a variant differs. */}
            {rows?.some(hasOtherVariant) && <VariantHashNote apps={evaluation.variants.apps} />}
          </div>
        )}
      </div>
    </>
  );
}

interface ResultActionsProps {
  rows: readonly EvaluatedToggle[];
}

/** Copies the shown results. */
function ResultActions({ rows }: ResultActionsProps) {
  const json = () => rows.map(({ toggle: { name }, result }) => ({ name, ...result }));
  const copyItems = rows.length > 0 ? copyActions({ json }) : [];
  return <ActionsMenu subject="the results" items={[...useClockItems(), ...copyItems]} />;
}

interface EvaluationFilterBarProps {
  filters: EvaluationFilters;
  change: (part: Partial<EvaluationFilters>) => void;
  /** Undefined until evaluated. */
  counts: CountByResult | undefined;
  /** Number of shown toggles with different results; undefined without a comparison. */
  differing: number | undefined;
  /** Number of toggles with and without the filters. */
  shown: number | undefined;
  total: number | undefined;
}

const RESULTS = [
  { value: '', label: 'Any result' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'application', label: 'App decides' },
  { value: 'random', label: 'On for some requests' },
] as const;

/** Filters of the results, and the number of toggles with each result. */
function EvaluationFilterBar({ filters, change, counts, differing, shown, total }: EvaluationFilterBarProps) {
  const search = useSearch(filters.filter, (filter) => change({ filter }));
  const hasPanel = useHasFilterPanel();
  const choices = { filters, change };
  return (
    <>
      <search className="flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-60 flex-1 gap-2.5">
          <SearchField
            label="Filter toggles"
            placeholder="Filter by name, description, strategy…"
            shortcutHint="/"
            {...search}
          />
          {hasPanel && (
            <Popover label="Filter" icon={<FilterIcon />} variant="control" count={countChoices(filters)}>
              {() => (
                <div className="grid gap-4">
                  <FilterChoices {...choices} />
                </div>
              )}
            </Popover>
          )}
        </div>
        {!hasPanel && <FilterChoices {...choices} hideLabel />}
      </search>
      <p
        role="status"
        className="flex min-h-5 flex-wrap justify-between gap-x-4 text-muted text-secondary tabular-nums"
      >
        <Summary counts={counts} differing={differing} />
        {shown !== undefined && total !== undefined && shown < total && (
          <span>
            <CountOf value={shown} total={total} /> shown
          </span>
        )}
      </p>
    </>
  );
}

function countChoices({ result, project, tag }: EvaluationFilters): number {
  return [result !== '', project !== allProjects, tag !== ''].filter(Boolean).length;
}

interface FilterChoicesProps extends Pick<EvaluationFilterBarProps, 'filters' | 'change'> {
  hideLabel?: boolean;
}

/** The filters in addition to the search: beside it, or in a panel in narrow windows. */
function FilterChoices({ filters, change, hideLabel = false }: FilterChoicesProps) {
  // SDKs get neither the tags of toggles nor, from some servers, their projects.
  const isPast = usePastView() !== undefined;
  const projects = useProjects();
  const tags = useRead(allTags).data?.tags ?? [];
  const tagOptions = tags.map((tag) => ({ value: formatTagParam(tag), label: formatTag(tag) }));
  const hasTag = filters.tag === '' || tagOptions.some(({ value }) => value === filters.tag);
  return (
    <>
      <Select
        label="Result"
        hideLabel={hideLabel}
        value={filters.result}
        options={RESULTS}
        onChange={(result) => change({ result })}
      />
      {!isPast && (
        <ProjectSelect
          settings={{ currentProjectId: resolveProject(filters.project, projects) }}
          onChange={({ currentProjectId }) => change({ project: currentProjectId })}
          projects={projects}
          hideLabel={hideLabel}
        />
      )}
      {!isPast && (tags.length > 0 || filters.tag !== '') && (
        <Select
          label="Tag"
          hideLabel={hideLabel}
          icon={<TagIcon />}
          value={filters.tag}
          options={[
            { value: '', label: 'Any tag' },
            ...(hasTag ? [] : [{ value: filters.tag, label: filters.tag }]),
            ...tagOptions,
          ]}
          onChange={(tag) => change({ tag })}
        />
      )}
    </>
  );
}

function Summary({ counts, differing }: Pick<EvaluationFilterBarProps, 'counts' | 'differing'>) {
  const locale = useLocale();
  if (!counts) return null;
  if (differing !== undefined)
    return <span>{`${formatNumber(differing, locale)} ${differing === 1 ? 'toggle differs' : 'toggles differ'}`}</span>;
  const parts = [
    [counts.on, 'on'],
    [counts.off, 'off'],
    [counts.application, 'app decides'],
    [counts.random, 'on for some requests'],
  ] as const;
  const shown = parts.filter(([count], index) => index < 2 || count > 0);
  return <span>{shown.map(([count, text]) => `${formatNumber(count, locale)} ${text}`).join(' · ')}</span>;
}

type EvaluationNotesProps = Pick<ReturnType<typeof useEvaluatedToggles>, 'problem'>;

/** Limits of the results. */
function EvaluationNotes({ problem }: EvaluationNotesProps) {
  const { listsVariants } = useCapabilities();
  const isPast = usePastView() !== undefined;
  return (
    <>
      {!listsVariants && !isPast && (
        <p role="note" className={NOTE}>
          Variants and dependencies of this server are not evaluated here, because its list of toggles contains neither:
          a toggle that is on here can be off because of a parent toggle. Open a toggle for its complete result.
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className={NOTE}>
          {problem}
        </p>
      )}
    </>
  );
}

const NOTE = 'rounded-control bg-sunken px-4 py-2 text-muted text-secondary';

interface ResultTableProps {
  /** Filtered rows; undefined until evaluated. */
  rows: readonly EvaluatedToggle[] | undefined;
  layout: ResultLayout;
  /** Number of toggles without the filters. */
  total: number;
  /** The rows are those of the previous context. */
  busy: boolean;
  onClearFilters: () => void;
}

/** The toggles with their results, one row each. */
function ResultTable({ rows, layout, total, busy, onClearFilters }: ResultTableProps) {
  const { columns } = layout;
  const cells = useCallback((row: EvaluatedToggle) => <GridCells columns={columns} row={row} />, [columns]);
  if (!rows) return <ToggleTableSkeleton {...layout} />;
  if (rows.length === 0) return <NoMatches total={total} onClear={onClearFilters} />;
  return (
    <Table {...layout} label="Results" rows={rows} rowKey={({ toggle }) => toggle.name} fitsPhoneRows busy={busy}>
      {cells}
    </Table>
  );
}

/** Number of toggles with each result. */
type CountByResult = { readonly [result in EvaluationResult]: number };

const NO_TOGGLES: readonly Toggle[] = [];

type Evaluated = Pick<ReturnType<typeof useEvaluatedToggles>, 'toggles' | 'evaluated' | 'isEvaluated'>;
type Search = Pick<ReturnType<typeof useEvaluationFilters>, 'filters' | 'tagged' | 'isKnown'>;

/** Returns the filtered rows in the order of their names, and the counts of all toggles. Undefined until evaluated. */
function useResultRows({ toggles, evaluated, isEvaluated }: Evaluated, { filters, tagged, isKnown }: Search) {
  const { filter, result } = filters;
  const isPast = usePastView() !== undefined;
  const projects = useProjects();
  const currentProjectId = isPast ? allProjects : resolveProject(filters.project, projects);
  const isIncluded = useMemo(
    () =>
      ({ name }: Toggle) =>
        (result === '' || evaluated.get(name)?.result?.result === result) && (tagged?.has(name) ?? true),
    [result, tagged, evaluated],
  );
  const shown = useToggleRows(
    toggles ?? NO_TOGGLES,
    { ...defaultSettings, filter, currentProjectId },
    undefined,
    isIncluded,
  );
  const rows = useMemo(() => {
    const all = shown.flatMap(({ name }) => evaluated.get(name) ?? []);
    // The order of names stays among those that differ, and among the others.
    return all.toSorted((one, other) => Number(other.differs) - Number(one.differs));
  }, [shown, evaluated]);
  const counts = useMemo(() => {
    const all: { [key in EvaluationResult]: number } = { on: 0, off: 0, application: 0, random: 0 };
    for (const { result: one } of evaluated.values()) if (one) all[one.result] += 1;
    return all;
  }, [evaluated]);
  return isEvaluated ? { rows: isKnown ? rows : undefined, counts } : { rows: undefined, counts: undefined };
}
