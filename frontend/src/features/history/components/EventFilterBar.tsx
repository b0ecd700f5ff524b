// Filters of the history: text, user, type and time. In narrow windows, only the search is visible at first.

import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { useLocale } from '@/lib/locale';
import { useSearch } from '@/lib/useSearch';
import { Button } from '@/ui/Button';
import { CountOf } from '@/ui/Count';
import { FilterIcon, TimeIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { Switch } from '@/ui/Switch';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { countPanelFilters, type EventFilter, formatTimeRange, isFiltered } from '../eventFilter';
import { EventChoices } from './EventChoices';
import { EventFilterPanel } from './EventFilterPanel';
import { TimeRangePanel } from './TimeRangePanel';

interface Props {
  events: readonly Event[];
  filter: EventFilter;
  onChange: (part: Partial<EventFilter>) => void;
  onClear: () => void;
  /** Number of matching events; undefined while loading. */
  shown: number | undefined;
  showData: boolean;
  onShowData: (showData: boolean) => void;
  /** Actions on the matching events. */
  children: ReactNode;
}

export function EventFilterBar(props: Props) {
  const { events, filter, onChange, onClear, shown, showData, onShowData, children } = props;
  const search = useSearch(filter.text, (text) => onChange({ text }));
  const hasPanel = useHasFilterPanel();
  const timeRange = formatTimeRange(filter, useLocale());
  const hasFilter = isFiltered(filter);
  const choices = { events, filter, onChange };
  const fullEvents = <Switch label="Full events" showLabel checked={showData} onChange={onShowData} />;
  return (
    <div className="grid gap-3 max-sm:gap-1">
      <search className="flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-60 flex-1 gap-2.5">
          <SearchField label="Search events" placeholder="Search names, values, users…" shortcutHint="/" {...search} />
          {hasPanel && (
            <Popover label="Filter" icon={<FilterIcon />} count={countPanelFilters(filter)}>
              {() => (
                <EventFilterPanel {...choices} timeRange={timeRange}>
                  {fullEvents}
                  {children}
                </EventFilterPanel>
              )}
            </Popover>
          )}
        </div>
        {!hasPanel && (
          <>
            <EventChoices {...choices} hideLabels />
            <Popover label={timeRange} icon={<TimeIcon />}>
              {() => <TimeRangePanel from={filter.from} until={filter.until} onChange={onChange} />}
            </Popover>
          </>
        )}
      </search>
      <div className={hasPanel && !hasFilter ? 'sr-only' : ROW}>
        {!hasPanel && fullEvents}
        <p role="status" className="text-muted text-secondary tabular-nums md:ml-auto">
          {hasFilter && shown !== undefined && (
            <>
              <CountOf value={shown} total={events.length} /> events
            </>
          )}
        </p>
        {hasFilter && (
          <Button variant="ghost" size="small" onClick={onClear}>
            Clear all
          </Button>
        )}
        {!hasPanel && children}
      </div>
    </div>
  );
}

const ROW = 'flex min-h-control-small flex-wrap items-center gap-x-3 gap-y-1.5 max-md:justify-between';
