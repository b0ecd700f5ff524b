// Chooses a range of time: periods as buttons, and two fields.
import { useState, useSyncExternalStore } from 'react';
import { clockNow, subscribeClock } from '@/lib/clock';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { DateTimeField, toLocalTime } from '@/ui/DateTimeField';
import { fieldLabelClass } from '@/ui/fieldClass';
import { Popover } from '@/ui/Popover';
import { findPeriod, formatTimeRange, PERIODS, type Period, rangeOfPeriod, type TimeRange, toUtc } from './timeRange';

const PERIOD_LABELS: { readonly [period in Period]: string } = {
  any: 'Any time',
  hour: 'Last hour',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
};

interface PeriodProps {
  range: TimeRange;
  onChange: (part: Partial<TimeRange>) => void;
}

interface PeriodChipsProps extends PeriodProps {
  periods?: readonly Period[];
  hasRange?: boolean;
}

/** Chooses a period, or with `hasRange` any range in a popover. */
export function PeriodChips({ range, onChange, periods = PERIODS, hasRange = false }: PeriodChipsProps) {
  const locale = useLocale();
  const selected = useSelectedPeriod(range);
  return (
    <fieldset aria-label="Period" className="flex min-w-0 flex-wrap gap-1">
      {periods.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === selected}
          onClick={() => onChange(rangeOfPeriod(period, Date.now()))}
          className={CHIP}
        >
          {PERIOD_LABELS[period]}
        </button>
      ))}
      {hasRange && (
        <Popover
          label={selected ? 'Range…' : formatTimeRange(range, locale)}
          variant="ghost"
          size="small"
          className={cx(RANGE, !selected && RANGE_SELECTED)}
        >
          {() => <TimeRangeFields range={range} onChange={onChange} />}
        </Popover>
      )}
    </fieldset>
  );
}

/** The clock decides: at midnight, `Today` becomes another range. */
function useSelectedPeriod({ from, until }: TimeRange): Period | undefined {
  return useSyncExternalStore(subscribeClock, () => findPeriod({ from, until }, clockNow()));
}

const CHIP = cx(
  'h-control-small whitespace-nowrap rounded-full border border-transparent px-3 font-medium text-muted text-secondary',
  'transition-colors duration-120 hover:bg-sunken hover:text-text touch:h-touch touch:px-4',
  'aria-pressed:forced-selected aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent',
);

const RANGE = 'rounded-full px-3 font-medium';
const RANGE_SELECTED = 'bg-accent-soft font-semibold text-accent forced-colors:border';

/** Chooses a period or any range, in a panel. */
export function TimeRangePanel({ range, onChange }: PeriodProps) {
  const locale = useLocale();
  // The fields are uncontrolled while the user types. A period remounts them with its values.
  const [periodCount, setPeriodCount] = useState(0);
  const selected = useSelectedPeriod(range);
  return (
    <fieldset className="min-w-0">
      <legend className={fieldLabelClass}>
        Time: {selected ? PERIOD_LABELS[selected] : formatTimeRange(range, locale)}
      </legend>
      <div className="mt-1.5 grid gap-4">
        <PeriodChips
          range={range}
          onChange={(period) => {
            setPeriodCount(periodCount + 1);
            onChange(period);
          }}
        />
        <TimeRangeFields key={periodCount} range={range} onChange={onChange} />
      </div>
    </fieldset>
  );
}

function TimeRangeFields({ range: { from, until }, onChange }: PeriodProps) {
  return (
    <div className="grid gap-4">
      <MomentField label="From" value={from} onChange={(moment) => onChange({ from: moment })} />
      <MomentField label="Until" value={until} onChange={(moment) => onChange({ until: moment })} />
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
