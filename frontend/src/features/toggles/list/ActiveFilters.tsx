// The active filters, each removable, and the number of matching toggles.
import { useRef } from 'react';
import { useFeatureTypes } from '@/api/reads';
import { formatTag } from '@/domain/tags/tags';
import { formatTagParam, type ToggleFacets } from '@/domain/toggles/toggleFacets';
import { allProjects, getHiddenSortLabel } from '@/domain/toggles/toggleList';
import type { ToggleListSettings } from '@/domain/toggles/toggleListSettings';
import { findPageHeading } from '@/lib/restoreFocus';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Count, CountOf } from '@/ui/Count';
import { SegmentedField } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { useTagChoices } from '../tags/useToggleTags';
import type { NarrowFacets } from './useToggleFilters';

interface Props {
  settings: ToggleListSettings;
  facets: ToggleFacets;
  projects: readonly { id: string; name: string }[];
  shown: number | undefined;
  total: number | undefined;
  change: (part: Partial<ToggleListSettings>) => void;
  narrow: NarrowFacets;
  onClear: () => void;
}

interface Filter {
  text: string;
  remove: () => void;
  /** The sort order, which hides nothing. */
  isOrder?: boolean;
}

export function ActiveFilters(props: Props) {
  const { shown, total, onClear } = props;
  const list = useRef<HTMLUListElement>(null);
  const filters = useFilters(props);
  const isFiltered = filters.some(({ isOrder }) => !isOrder);
  const remove = (filter: Filter) => {
    const others = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = others.indexOf(document.activeElement as HTMLElement);
    // The focused button disappears with its chip, so focus moves to a neighbour.
    (others[at + 1] ?? others[at - 1] ?? findPageHeading())?.focus({ preventScroll: true });
    filter.remove();
  };
  const clear = () => {
    findPageHeading()?.focus({ preventScroll: true });
    onClear();
  };
  return (
    <div
      className={filters.length === 0 ? 'sr-only' : 'flex min-h-control-small flex-wrap items-center gap-x-3 gap-y-1.5'}
    >
      {filters.length > 0 && (
        <>
          <ul ref={list} aria-label="Active filters" className="flex min-w-0 flex-wrap gap-1.5">
            {filters.map((filter) => (
              <li key={filter.text} className="flex min-w-0">
                <Chip
                  tone="accent"
                  onRemove={() => remove(filter)}
                  removeLabel={filter.isOrder ? 'Sort by name' : `Remove filter: ${filter.text}`}
                >
                  {filter.text}
                </Chip>
              </li>
            ))}
          </ul>
          {isFiltered && (
            <Button variant="ghost" size="small" onClick={clear}>
              Clear all
            </Button>
          )}
        </>
      )}
      <p role="status" className="ml-auto text-muted text-secondary tabular-nums">
        {isFiltered && shown !== undefined && total !== undefined && <CountOf value={shown} total={total} />}
      </p>
    </div>
  );
}

function useFilters({ settings, facets, projects, change, narrow }: Props): Filter[] {
  const types = useFeatureTypes();
  const { state, status, type, tags } = facets;
  const text = settings.filter.trim();
  const { currentProjectId } = settings;
  const nameIn = (list: readonly { id: string; name: string }[], id: string) =>
    list.find((one) => one.id === id)?.name ?? id;
  const sortLabel = getHiddenSortLabel(settings);
  return [
    sortLabel !== undefined && {
      text: `Sorted by ${sortLabel.toLowerCase()}`,
      remove: () => change({ sort: 'name', reversed: false }),
      isOrder: true,
    },
    text !== '' && { text: `“${text}”`, remove: () => change({ filter: '' }) },
    currentProjectId !== allProjects && {
      text: nameIn(projects, currentProjectId),
      remove: () => change({ currentProjectId: allProjects }),
    },
    state !== '' && { text: state === 'on' ? 'On' : 'Off', remove: () => narrow(() => ({ state: '' })) },
    status !== '' && { text: status === 'stale' ? 'Stale' : 'Active', remove: () => narrow(() => ({ status: '' })) },
    type !== '' && { text: nameIn(types, type), remove: () => narrow(() => ({ type: '' })) },
    ...tags.map((tag) => ({
      text: tag.replace(':', ': '),
      remove: () => narrow((now) => ({ tags: now.tags.filter((one) => one !== tag) })),
    })),
  ].filter((filter) => filter !== false);
}

interface StaleFilterProps {
  /** Number of stale toggles in the list. */
  count: number;
  facets: ToggleFacets;
  onChange: NarrowFacets;
}

/** Button that lists only the stale toggles, from which they can be archived together. */
export function StaleFilter({ count, facets, onChange }: StaleFilterProps) {
  const isPressed = facets.status === 'stale';
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={() => onChange(() => ({ status: isPressed ? '' : 'stale' }))}
      className="relative h-6 whitespace-nowrap rounded-chip border border-warn/40 bg-warn-soft px-2 font-semibold text-label text-warn tabular-nums hover:border-warn aria-pressed:forced-selected aria-pressed:border-warn forced-colors:border-current touch:after:absolute touch:after:-inset-x-1 touch:after:-inset-y-3"
    >
      <Count value={count} /> stale
    </button>
  );
}

interface FilterPanelProps {
  facets: ToggleFacets;
  onChange: NarrowFacets;
}

export function FilterPanel({ facets, onChange }: FilterPanelProps) {
  const types = useFeatureTypes();
  const { known } = useTagChoices(true);
  const offered = known.filter((tag) => !facets.tags.includes(formatTagParam(tag)));
  return (
    <div className="grid gap-4">
      <SegmentedField
        label="State"
        value={facets.state}
        options={[
          { value: '', label: 'Any' },
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
        ]}
        onChange={(state) => onChange(() => ({ state }))}
      />
      <SegmentedField
        label="Status"
        value={facets.status}
        options={[
          { value: '', label: 'Any' },
          { value: 'active', label: 'Active' },
          { value: 'stale', label: 'Stale' },
        ]}
        onChange={(status) => onChange(() => ({ status }))}
      />
      <Select
        label="Type"
        value={facets.type}
        options={[{ value: '', label: 'Any type' }, ...types.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(type) => onChange(() => ({ type }))}
      />
      <Select
        label="Tag"
        value=""
        options={[
          { value: '', label: offered.length > 0 ? 'Add a tag…' : 'No tags to choose from' },
          ...offered.map((tag) => ({ value: formatTagParam(tag), label: formatTag(tag) })),
        ]}
        onChange={(tag) => {
          if (tag !== '') onChange(({ tags }) => ({ tags: [...new Set([...tags, tag])] }));
        }}
      />
    </div>
  );
}
