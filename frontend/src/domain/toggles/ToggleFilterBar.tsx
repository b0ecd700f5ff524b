// Filters and sort order of the toggle list and the archive. In narrow windows, only the search is visible at first.

import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { FilterIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { IntervalControl } from './IntervalControl';
import { ToggleSortMenu } from './ToggleSortMenu';
import { ProjectSelect, type ToggleViewProps } from './ToggleViewControls';
import { ToggleViewPanel } from './ToggleViewPanel';

interface Props extends ToggleViewProps {
  /** Additional filters, in the Filter panel. */
  children?: ReactNode;
}

export function ToggleFilterBar({ children, ...view }: Props) {
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
          <Popover label="Filter" icon={<FilterIcon />}>
            {() => (
              <div className="grid gap-4">
                {children}
                {hasPanel && <ToggleViewPanel {...view} />}
              </div>
            )}
          </Popover>
        )}
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
