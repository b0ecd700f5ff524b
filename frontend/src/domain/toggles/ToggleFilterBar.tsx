// Search, filters and sort order of the toggle list and the archive. All but the search and the project are in a panel.
import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { FilterIcon, ProjectIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { SegmentedField } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { allProjects, sortDirection, toggleSorts } from './toggleList';
import type { ToggleListSettings } from './toggleListSettings';
import { HOURLY_REASON, useIsHourly } from './useShownCounts';

interface ViewProps {
  settings: ToggleListSettings;
  onChange: (part: Partial<ToggleListSettings>) => void;
  projects: readonly { id: string; name: string }[];
}

interface Props extends ViewProps {
  /** Controls at the start of the Filter panel. */
  children?: ReactNode;
  /** The menu of the page on phones, after the Filter button. */
  menu?: ReactNode;
}

export function ToggleFilterBar({ children, menu, ...view }: Props) {
  const { settings, onChange } = view;
  const isNarrow = useHasFilterPanel();
  const search = useSearch(settings.filter, (filter) => onChange({ filter }));
  return (
    <search className="flex items-center gap-2.5 max-sm:gap-1.5">
      <SearchField
        label="Filter toggles"
        placeholder={isNarrow ? 'Filter by name, strategy…' : 'Filter by name, description, strategy…'}
        shortcutHint="/"
        {...search}
      />
      {!isNarrow && <ProjectSelect {...view} hideLabel />}
      <Popover
        label="Filter"
        icon={<FilterIcon />}
        text={<span className="max-sm:sr-only">Filter</span>}
        variant="control"
        className="max-sm:w-touch max-sm:px-0"
      >
        {() => (
          <div className="grid gap-4">
            {children}
            {isNarrow && <ProjectSelect {...view} />}
            <SortFields {...view} />
          </div>
        )}
      </Popover>
      {menu}
    </search>
  );
}

type ProjectSettings = Pick<ToggleListSettings, 'currentProjectId'>;

interface ProjectSelectProps extends Pick<ViewProps, 'projects'> {
  settings: ProjectSettings;
  onChange: (part: ProjectSettings) => void;
  hideLabel?: boolean;
}

/** Selects the project. Hidden unless there are several. */
export function ProjectSelect({ settings, onChange, projects, hideLabel = false }: ProjectSelectProps) {
  if (projects.length < 2) return null;
  return (
    <Select
      label="Project"
      hideLabel={hideLabel}
      icon={<ProjectIcon />}
      value={settings.currentProjectId}
      options={[
        { value: allProjects, label: 'All projects' },
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(currentProjectId) => onChange({ currentProjectId })}
    />
  );
}

/** Selects the interval of the counts, or names the only one. */
export function IntervalField({ settings, onChange }: Pick<ViewProps, 'settings' | 'onChange'>) {
  if (useIsHourly()) return <p className="text-muted text-secondary">{HOURLY_REASON}</p>;
  return (
    <SegmentedField
      label="Metric interval"
      value={settings.showLastHour ? 'hour' : 'minute'}
      options={[
        { value: 'minute', label: 'Last minute' },
        { value: 'hour', label: 'Last hour' },
      ]}
      onChange={(interval) => onChange({ showLastHour: interval === 'hour' })}
    />
  );
}

/** Selects the sort key and the order. The headers of columns sort too. */
function SortFields({ settings, onChange }: Pick<ViewProps, 'settings' | 'onChange'>) {
  const direction = sortDirection(settings);
  return (
    <>
      <Select
        label="Sort by"
        value={settings.sort}
        options={toggleSorts}
        onChange={(sort) => onChange({ sort, reversed: false })}
      />
      <SegmentedField
        label="Order"
        value={direction}
        options={[
          { value: 'asc', label: 'Ascending' },
          { value: 'desc', label: 'Descending' },
        ]}
        onChange={(chosen) => onChange({ reversed: (chosen !== direction) !== settings.reversed })}
      />
    </>
  );
}
