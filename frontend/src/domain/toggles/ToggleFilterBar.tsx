// Filters and sort order of the toggle list and the archive. In narrow windows, only the search is visible at first.
import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { FilterIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { SegmentedControl, SegmentedField } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { getIntervalProps, ProjectSelect, ToggleSortMenu, type ToggleViewProps } from './ToggleViewControls';
import { sortDirection, toggleSorts } from './toggleList';
import { HOURLY_REASON, useIsHourly } from './useShownCounts';

interface Props extends ToggleViewProps {
  /** Additional filters, in the Filter panel. */
  children?: ReactNode;
  /** The menu of the page on phones, after the Filter button. */
  menu?: ReactNode;
}

export function ToggleFilterBar({ children, menu, ...view }: Props) {
  const { settings, onChange } = view;
  const hasPanel = useHasFilterPanel();
  const search = useSearch(settings.filter, (filter) => onChange({ filter }));
  return (
    <search className="flex flex-wrap items-center gap-2.5">
      <div className="flex min-w-60 flex-1 gap-2.5">
        <SearchField
          label="Filter toggles"
          placeholder="Filter by name, description, strategy…"
          shortcutHint="/"
          {...search}
        />
        {(children || hasPanel) && (
          <Popover label="Filter" icon={<FilterIcon />} variant="control">
            {() => (
              <div className="grid gap-4">
                {children}
                {hasPanel && <ToggleViewPanel {...view} />}
              </div>
            )}
          </Popover>
        )}
        {menu}
      </div>
      {!hasPanel && (
        <>
          <ProjectSelect {...view} hideLabel />
          <IntervalControl {...view} />
          <ToggleSortMenu {...view} />
        </>
      )}
    </search>
  );
}

/** Selects the interval of the counts, or names the only one. */
function IntervalControl(view: ToggleViewProps) {
  if (!useIsHourly()) return <SegmentedControl {...getIntervalProps(view)} />;
  return (
    <span data-reason={HOURLY_REASON} className="text-muted text-secondary">
      Usage: last hour
      <VisuallyHidden>. {HOURLY_REASON}</VisuallyHidden>
    </span>
  );
}

/** Project, metric interval and sort order in the Filter panel, in narrow windows. */
function ToggleViewPanel(view: ToggleViewProps) {
  const { settings, onChange } = view;
  const direction = sortDirection(settings);
  return (
    <div className="grid gap-4">
      <ProjectSelect {...view} />
      {useIsHourly() ? (
        <p className="text-muted text-secondary">{HOURLY_REASON}</p>
      ) : (
        <SegmentedField {...getIntervalProps(view)} />
      )}
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
