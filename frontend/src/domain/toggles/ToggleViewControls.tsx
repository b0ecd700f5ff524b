// Controls of the project and the metric interval of a toggle list.
import { ProjectIcon } from '@/ui/icons';
import type { SegmentedControlProps } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { allProjects } from './toggleList';
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
