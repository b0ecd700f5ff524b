import { tags as allTags } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import { formatTag } from '@/domain/tags/tags';
import { ProjectSelect } from '@/domain/toggles/ToggleViewControls';
import { formatTagParam } from '@/domain/toggles/toggleFacets';
import { resolveProject } from '@/domain/toggles/toggleList';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { useSearch } from '@/lib/useSearch';
import { CountOf } from '@/ui/Count';
import { TagIcon } from '@/ui/icons';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import type { EvaluationFilters } from './useEvaluationFilters';
import type { ResultCounts } from './useResultRows';

interface Props {
  filters: EvaluationFilters;
  change: (part: Partial<EvaluationFilters>) => void;
  /** Undefined until evaluated. */
  counts: ResultCounts | undefined;
  /** Number of toggles with and without the filters. */
  shown: number | undefined;
  total: number | undefined;
}

const RESULTS = [
  { value: '', label: 'Any result' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'application', label: 'The application decides' },
  { value: 'random', label: 'On at random' },
] as const;

/** Filters of the results, and the number of toggles with each result. */
export function EvaluationFilterBar({ filters, change, counts, shown, total }: Props) {
  const search = useSearch(filters.filter, (filter) => change({ filter }));
  const projects = useProjects();
  const tags = useRead(allTags, { handlesFailure: true }).data?.tags ?? [];
  const tagOptions = tags.map((tag) => ({ value: formatTagParam(tag), label: formatTag(tag) }));
  const hasTag = filters.tag === '' || tagOptions.some(({ value }) => value === filters.tag);
  return (
    <>
      <search className="flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-60 flex-1">
          <SearchField
            label="Filter toggles"
            placeholder="Filter by name, description, strategy…"
            shortcutHint="/"
            {...search}
          />
        </div>
        <Select
          label="Result"
          hideLabel
          value={filters.result}
          options={RESULTS}
          onChange={(result) => change({ result })}
        />
        <ProjectSelect
          settings={{ currentProjectId: resolveProject(filters.project, projects) }}
          onChange={({ currentProjectId }) => change({ project: currentProjectId })}
          projects={projects}
          hideLabel
        />
        {(tags.length > 0 || filters.tag !== '') && (
          <Select
            label="Tag"
            hideLabel
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
      </search>
      <p
        role="status"
        className="flex min-h-5 flex-wrap justify-between gap-x-4 text-muted text-secondary tabular-nums"
      >
        <Summary counts={counts} />
        {shown !== undefined && total !== undefined && shown < total && (
          <span>
            <CountOf value={shown} total={total} /> shown
          </span>
        )}
      </p>
    </>
  );
}

function Summary({ counts }: Pick<Props, 'counts'>) {
  const locale = useLocale();
  if (!counts) return null;
  const parts = [
    [counts.on, 'on'],
    [counts.off, 'off'],
    [counts.application, 'decided by the application'],
    [counts.random, 'on at random'],
  ] as const;
  const shown = parts.filter(([count], index) => index < 2 || count > 0);
  return <span>{shown.map(([count, text]) => `${formatNumber(count, locale)} ${text}`).join(' · ')}</span>;
}
