// Filters and sort order of the toggle list and the archive.

import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { ProjectIcon, SortIcon } from '@/ui/icons';
import { SearchField } from '@/ui/SearchField';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { allProjects, toggleSorts } from './toggleList';
import type { ToggleListSettings } from './toggleListSettings';

interface Props {
  settings: ToggleListSettings;
  onChange: (part: Partial<ToggleListSettings>) => void;
  /** The project select is hidden unless there are several. */
  projects: readonly { id: string; name: string }[];
  /** Called when the search box gets the focus. */
  onSearch: () => void;
  /** Additional filters. */
  children?: ReactNode;
}

export function ToggleFilterBar({ settings, onChange, projects, onSearch, children }: Props) {
  const search = useSearch(settings.filter, (filter) => onChange({ filter }));
  return (
    <search className="flex flex-wrap items-center gap-2.5 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)]">
      <div className="flex min-w-60 flex-1 gap-2.5 max-sm:col-span-2">
        <SearchField
          label="Filter toggles"
          placeholder="Filter by name, description, strategy…"
          shortcutHint="/"
          onFocus={onSearch}
          {...search}
        />
        {children}
      </div>
      {projects.length > 1 && (
        <span className="max-sm:order-last max-sm:col-span-2 max-sm:grid">
          <Select
            label="Project"
            hideLabel
            icon={<ProjectIcon />}
            value={settings.currentProjectId}
            options={[
              { value: allProjects, label: 'All projects' },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(currentProjectId) => onChange({ currentProjectId })}
          />
        </span>
      )}
      <SegmentedControl
        label="Metric interval"
        value={settings.showLastHour ? 'hour' : 'minute'}
        options={[
          { value: 'minute', label: 'Last minute' },
          { value: 'hour', label: 'Last hour' },
        ]}
        onChange={(interval) => onChange({ showLastHour: interval === 'hour' })}
      />
      <Select
        label="Sort by"
        hideLabel
        icon={<SortIcon />}
        value={settings.sort}
        options={toggleSorts}
        onChange={(sort) => onChange({ sort })}
      />
    </search>
  );
}
