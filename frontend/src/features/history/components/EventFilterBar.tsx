// Filters of the history: text, user, type and time.

import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { useLocale } from '@/lib/locale';
import { useSearch } from '@/lib/useSearch';
import { Button } from '@/ui/Button';
import { CountOf } from '@/ui/Count';
import { TagIcon, TimeIcon, UserIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import { Switch } from '@/ui/Switch';
import { type EventFilter, filterChoices, isFiltered } from '../eventFilter';
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
  const locale = useLocale();
  const hasFilter = isFiltered(filter);
  return (
    <div className="grid gap-3">
      <search className="flex flex-wrap items-center gap-2.5 max-sm:grid">
        <div className="flex min-w-60 flex-1">
          <SearchField label="Search events" placeholder="Search names, values, users…" shortcutHint="/" {...search} />
        </div>
        <Choice
          label="Changed by"
          icon={<UserIcon />}
          anyText="Anyone"
          value={filter.user}
          known={filterChoices(events, 'createdBy')}
          onChange={(user) => onChange({ user })}
        />
        <Choice
          label="Type"
          icon={<TagIcon />}
          anyText="Any type"
          value={filter.type}
          known={filterChoices(events, 'type')}
          onChange={(type) => onChange({ type })}
        />
        <Popover label={timeRangeLabel(filter, locale)} icon={<TimeIcon />}>
          {() => <TimeRangePanel from={filter.from} until={filter.until} onChange={onChange} />}
        </Popover>
      </search>
      <div className="flex min-h-control-small flex-wrap items-center gap-x-3 gap-y-1.5">
        <Switch label="Full events" showLabel checked={showData} onChange={onShowData} />
        <p role="status" className="ml-auto text-muted text-secondary tabular-nums">
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
        {children}
      </div>
    </div>
  );
}

/** Describes the time range, such as `5 Jan, 10:00 – 6 Jan, 10:00`. */
function timeRangeLabel({ from, until }: EventFilter, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, TIME_FORMAT);
  const [start, end] = [from, until].map((time) => (time === '' ? '' : format.format(new Date(time))));
  if (start && end) return `${start} – ${end}`;
  if (start) return `Since ${start}`;
  return end ? `Until ${end}` : 'Any time';
}

const TIME_FORMAT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

interface ChoiceProps {
  label: string;
  icon: ReactNode;
  anyText: string;
  value: string;
  known: readonly string[];
  onChange: (value: string) => void;
}

/** Select with the values of the loaded events, plus the value of the URL. */
function Choice({ anyText, known, ...rest }: ChoiceProps) {
  const { value } = rest;
  const values = value === '' || known.includes(value) ? known : [value, ...known];
  const options = [{ value: '', label: anyText }, ...values.map((one) => ({ value: one, label: one }))];
  return (
    <span className="grid sm:max-w-52">
      <Select hideLabel options={options} {...rest} />
    </span>
  );
}
