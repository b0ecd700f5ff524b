// Filters of the history: text, user, type and time. In narrow windows, only the search is visible at first.
import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { describeEventType } from '@/domain/events/eventType';
import { cx } from '@/lib/cx';
import { useSearch } from '@/lib/useSearch';
import { PeriodChips, TimeRangePanel } from '@/shared/TimeRange';
import { Button } from '@/ui/Button';
import { Count, CountOf } from '@/ui/Count';
import { FilterIcon, TagIcon, UserIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import { Switch } from '@/ui/Switch';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { countPanelFilters, type EventFilter, filterChoices, isFiltered } from './eventFilter';

interface Props {
  events: readonly Event[];
  /** Older events can be read. */
  hasOlder: boolean;
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
  const { events, hasOlder, filter, onChange, onClear, shown, showData, onShowData, children } = props;
  const search = useSearch(filter.text, (text) => onChange({ text }));
  const hasPanel = useHasFilterPanel();
  const hasFilter = isFiltered(filter);
  const choices = { events, filter, onChange };
  const fullEvents = <Switch label="Full events" showLabel checked={showData} onChange={onShowData} />;
  return (
    <div className="grid gap-2 max-sm:gap-1">
      <search className="flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-60 flex-1 gap-2.5">
          <SearchField label="Search events" placeholder="Search names, values, users…" shortcutHint="/" {...search} />
          {hasPanel && (
            <Popover label="Filter" icon={<FilterIcon />} variant="control" count={countPanelFilters(filter)}>
              {() => (
                <EventFilterPanel {...choices}>
                  {fullEvents}
                  {children}
                </EventFilterPanel>
              )}
            </Popover>
          )}
        </div>
        {!hasPanel && <EventChoices {...choices} hideLabels />}
      </search>
      <div className={hasPanel && !hasFilter ? 'sr-only' : ROW}>
        {!hasPanel && <PeriodChips range={filter} onChange={onChange} hasRange />}
        <p role="status" className="text-muted text-secondary tabular-nums md:ml-auto">
          {hasFilter && shown !== undefined && (
            <>
              {hasOlder ? (
                <>
                  <Count value={shown} /> of the newest <Count value={events.length} />
                </>
              ) : (
                <CountOf value={shown} total={events.length} />
              )}{' '}
              events
            </>
          )}
        </p>
        {hasFilter && (
          <Button variant="ghost" size="small" onClick={onClear}>
            Clear all
          </Button>
        )}
        {!hasPanel && fullEvents}
        {!hasPanel && children}
      </div>
    </div>
  );
}

const ROW = 'flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5 max-md:justify-between';

interface EventFilterPanelProps extends EventChoicesProps {
  /** Controls of the view. */
  children: ReactNode;
}

/** Filters and view of the history in the Filter panel, in narrow windows. */
function EventFilterPanel({ children, ...choices }: EventFilterPanelProps) {
  const { filter, onChange } = choices;
  return (
    <div className="grid gap-4">
      <EventChoices {...choices} />
      <TimeRangePanel range={filter} onChange={onChange} />
      <div className="flex items-center justify-between border-line border-t pt-2">{children}</div>
    </div>
  );
}

interface EventChoicesProps {
  events: readonly Event[];
  filter: EventFilter;
  onChange: (part: Partial<EventFilter>) => void;
  hideLabels?: boolean;
}

/** Selects the user and the type of the events. */
function EventChoices({ events, filter, onChange, hideLabels = false }: EventChoicesProps) {
  return (
    <>
      <Choice
        label="Changed by"
        icon={<UserIcon />}
        anyText="Anyone"
        value={filter.user}
        known={filterChoices(events, 'createdBy')}
        hideLabel={hideLabels}
        onChange={(user) => onChange({ user })}
      />
      <Choice
        label="Type"
        icon={<TagIcon />}
        anyText="Any type"
        value={filter.type}
        known={filterChoices(events, 'type')}
        describe={describeEventType}
        hideLabel={hideLabels}
        onChange={(type) => onChange({ type })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  icon: ReactNode;
  anyText: string;
  value: string;
  known: readonly string[];
  /** Returns the text of a value. By default, the value. */
  describe?: (value: string) => string;
  hideLabel: boolean;
  onChange: (value: string) => void;
}

/** Select with the values of the loaded events, plus the value of the URL. */
function Choice({ anyText, known, describe = (value) => value, ...rest }: ChoiceProps) {
  const { value } = rest;
  const values = value === '' || known.includes(value) ? known : [value, ...known];
  const options = [{ value: '', label: anyText }, ...values.map((one) => ({ value: one, label: describe(one) }))];
  return (
    <span className={cx('grid', rest.hideLabel && 'max-w-52')}>
      <Select options={options} {...rest} />
    </span>
  );
}
