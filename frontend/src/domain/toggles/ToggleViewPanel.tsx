import { SegmentedField } from '@/ui/SegmentedField';
import { Select } from '@/ui/Select';
import { getIntervalProps, ProjectSelect, type ToggleViewProps } from './ToggleViewControls';
import { sortDirection, toggleSorts } from './toggleList';
import { HOURLY_REASON, useCountsSource, useIsHourly } from './useShownCounts';

/** Project, metric interval and sort order in the Filter panel, in narrow windows. */
export function ToggleViewPanel(view: ToggleViewProps) {
  const { settings, onChange } = view;
  const direction = sortDirection(settings);
  const source = useCountsSource();
  return (
    <div className="grid gap-4">
      <ProjectSelect {...view} />
      {useIsHourly() ? (
        <p className="text-muted text-secondary">{HOURLY_REASON}</p>
      ) : (
        <SegmentedField {...getIntervalProps(view)} />
      )}
      {source && <p className="text-muted text-secondary">{source}</p>}
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
    </div>
  );
}
