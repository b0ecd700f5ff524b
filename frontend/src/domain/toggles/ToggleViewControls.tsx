// Controls of the project and the metric interval of a toggle list.

import type { Sorting } from '@/ui/GridColumn';
import { ProjectIcon, SortIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { SegmentedControlProps } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { allProjects, chooseSort, sortDirection, type ToggleSort, toggleSorts } from './toggleList';
import type { ToggleListSettings } from './toggleListSettings';

export interface ToggleViewProps {
  settings: ToggleListSettings;
  onChange: (part: Partial<ToggleListSettings>) => void;
  projects: readonly { id: string; name: string }[];
}

type ProjectSettings = Pick<ToggleListSettings, 'currentProjectId'>;

interface ProjectSelectProps extends Pick<ToggleViewProps, 'projects'> {
  settings: ProjectSettings;
  onChange: (part: ProjectSettings) => void;
  hideLabel?: boolean;
}

/** Hidden unless there are several projects. */
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

/** Returns the props of the control that selects the metric interval. */
export function getIntervalProps({ settings, onChange }: ToggleViewProps): SegmentedControlProps<'minute' | 'hour'> {
  return {
    label: 'Metric interval',
    value: settings.showLastHour ? 'hour' : 'minute',
    options: [
      { value: 'minute', label: 'Last minute' },
      { value: 'hour', label: 'Last hour' },
    ],
    onChange: (interval) => onChange({ showLastHour: interval === 'hour' }),
  };
}

type SortProps = Pick<ToggleViewProps, 'settings' | 'onChange'>;

/** Sort keys without a column, whose header would show the order. */
const HIDDEN_KEYS: readonly ToggleSort[] = ['stale', 'strategies'];

/** Sorts by any key. Choosing the current key again reverses the order, like a column header. */
export function ToggleSortMenu({ settings, onChange }: SortProps) {
  const label = toggleSorts.find(({ value }) => value === settings.sort)?.label;
  const isHidden = HIDDEN_KEYS.includes(settings.sort);
  return (
    <Menu
      label={isHidden ? `Sort by: ${label}` : 'Sort by'}
      trigger={{ icon: <SortIcon />, text: <>{isHidden ? label : 'Sort'}</>, variant: 'control' }}
      items={toggleSorts.map((sort) => ({
        id: sort.value,
        label: sort.label,
        checked: sort.value === settings.sort,
        onSelect: () => onChange(chooseSort(settings, sort.value)),
      }))}
    />
  );
}

/** Returns the sort order for the column headers. */
export function getSorting({ settings, onChange }: SortProps): Sorting {
  return {
    key: settings.sort,
    direction: sortDirection(settings),
    onSort: (key) => onChange(chooseSort(settings, key)),
  };
}
