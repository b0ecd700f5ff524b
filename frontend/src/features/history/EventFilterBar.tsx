// Filters of the history: text, user, type and time. In narrow windows, only the search is visible at first.
import { type ReactNode, useState } from 'react';
import type { Event } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { useSearch } from '@/lib/useSearch';
import { Button } from '@/ui/Button';
import { CountOf } from '@/ui/Count';
import { DateTimeField, toLocalTime } from '@/ui/DateTimeField';
import { fieldLabelClass } from '@/ui/fieldClass';
import { FilterIcon, TagIcon, TimeIcon, UserIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import { Switch } from '@/ui/Switch';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { countPanelFilters, type EventFilter, filterChoices, formatTimeRange, isFiltered, toUtc } from './eventFilter';

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

interface EventFilterPanelProps extends EventChoicesProps {
  /** The selected time range, in the selected locale. */
  timeRange: string;
  /** Controls of the view. */
  children: ReactNode;
}

/** Filters and view of the history in the Filter panel, in narrow windows. */
function EventFilterPanel({ timeRange, children, ...choices }: EventFilterPanelProps) {
  const { filter, onChange } = choices;
  return (
    <div className="grid gap-4">
      <EventChoices {...choices} />
      <fieldset className="min-w-0">
        <legend className={fieldLabelClass}>Time: {timeRange}</legend>
        <div className="mt-1.5">
          <TimeRangePanel from={filter.from} until={filter.until} onChange={onChange} />
        </div>
      </fieldset>
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
  hideLabel: boolean;
  onChange: (value: string) => void;
}

/** Select with the values of the loaded events, plus the value of the URL. */
function Choice({ anyText, known, ...rest }: ChoiceProps) {
  const { value } = rest;
  const values = value === '' || known.includes(value) ? known : [value, ...known];
  const options = [{ value: '', label: anyText }, ...values.map((one) => ({ value: one, label: one }))];
  return (
    <span className={cx('grid', rest.hideLabel && 'max-w-52')}>
      <Select options={options} {...rest} />
    </span>
  );
}

interface TimeRangePanelProps {
  from: string;
  until: string;
  onChange: (part: Partial<EventFilter>) => void;
}

const HOUR_MS = 3_600_000;

const PRESETS = [
  { label: 'Last hour', hours: 1 },
  { label: 'Last day', hours: 24 },
  { label: 'Last week', hours: 168 },
] as const;

function TimeRangePanel({ from, until, onChange }: TimeRangePanelProps) {
  const [presetCount, setPresetCount] = useState(0);
  const choose = (part: Pick<EventFilter, 'from' | 'until'>) => {
    // The fields are uncontrolled while the user types. A preset remounts them with its values.
    setPresetCount(presetCount + 1);
    onChange(part);
  };
  const since = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {PRESETS.map(({ label, hours }) => (
          <Button key={label} size="small" onClick={() => choose({ from: since(hours), until: '' })}>
            {label}
          </Button>
        ))}
        <Button size="small" onClick={() => choose({ from: '', until: '' })}>
          Any time
        </Button>
      </div>
      <MomentField
        key={`from ${presetCount}`}
        label="From"
        value={from}
        onChange={(moment) => onChange({ from: moment })}
      />
      <MomentField
        key={`until ${presetCount}`}
        label="Until"
        value={until}
        onChange={(moment) => onChange({ until: moment })}
      />
    </div>
  );
}

interface MomentProps {
  label: string;
  value: string;
  onChange: (moment: string) => void;
}

function MomentField({ label, value, onChange }: MomentProps) {
  return (
    <DateTimeField
      label={label}
      initialValue={toLocalTime(value)}
      onChange={(localTime) => {
        const moment = toUtc(localTime);
        if (moment !== undefined) onChange(moment);
      }}
    />
  );
}
