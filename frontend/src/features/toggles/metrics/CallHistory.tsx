import { type ReactNode, useState } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { polledFeatureEvents } from '@/api/endpoints';
import { useServerEnvironment } from '@/api/environment';
import type { Counts } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { getEventStrategies } from '@/domain/events/toggleVersions';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { HOURLY_REASON } from '@/domain/toggles/useShownCounts';
import { yesRate } from '@/domain/toggles/YesRateRing';
import { cx } from '@/lib/cx';
import { formatExact, formatNumber, withPercentSign } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { type PastView, paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { useUrlParams } from '@/shared/useUrlParams';
import { Button } from '@/ui/Button';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { Select } from '@/ui/Select';
import { Skeleton } from '@/ui/Skeleton';
import { useIsNarrow } from '@/ui/useIsNarrow';
import { CallChart } from './CallChart';
import { toChangeMarks } from './changeMarks';
import { type ApplicationCounts, PERIODS, type Period, periodFormatter, type Range, sumPeriods } from './periods';
import { type CallHistoryState, useCallHistory, useCurrentMinute } from './useCallHistory';

interface Props {
  toggle: string;
  /** The earlier time that the page shows. */
  view?: PastView;
}

/** Chart and tables of the calls of a toggle over time. The range and the application are in the URL. */
export function CallHistory({ toggle, view }: Props) {
  const [params, changeParams] = useUrlParams();
  const isHourly = useCapabilities().counts !== 'minutes';
  const until = view && Date.parse(view.at);
  const now = useCurrentMinute();
  const isStored = (range: Range) => until === undefined || until > startOfStored(range, now);
  const usual = isStored('hour') ? 'hour' : 'week';
  const chosen = RANGES.find((one) => one === params.get('range'));
  const range = isHourly ? 'week' : (chosen ?? usual);
  const application = params.get('application');
  const history = useCallHistory(toggle, range, application, until);
  const [isTableShown, setTableShown] = useState(false);
  const setParam = (name: string, value: string | undefined) =>
    changeParams((current) => {
      if (value === undefined) current.delete(name);
      else current.set(name, value);
      return current;
    });
  return (
    <div className="grid gap-4">
      <div className={cx('flex items-center justify-between gap-2', isHourly && 'flex-wrap')}>
        {isHourly ? (
          <p className="text-muted text-secondary">
            {view ? '7 days before' : 'Last 7 days'}. {HOURLY_REASON}
          </p>
        ) : (
          <RangeChoice
            value={range}
            isPast={view !== undefined}
            onChange={(next) => setParam('range', next === usual ? undefined : next)}
          />
        )}
        {history.state === 'ready' && history.applications && (
          <ApplicationFilter
            applications={history.applications}
            value={application}
            onChange={(chosen) => setParam('application', chosen)}
          />
        )}
      </div>
      {view && <StoredNote range={range} history={history} isStored={isStored(range)} />}
      {isStored(range) && (
        <HistoryContent
          toggle={toggle}
          view={view}
          history={history}
          range={range}
          isTableShown={isTableShown}
          onShowTable={setTableShown}
        />
      )}
    </div>
  );
}

const RANGES = ['hour', 'week'] as const;

interface RangeProps {
  value: Range;
  /** The range ends at an earlier time. */
  isPast: boolean;
  onChange: (range: Range) => void;
}

/** On phones a list, which fits beside the one of the applications. Its labels are short. */
function RangeChoice({ isPast, ...props }: RangeProps) {
  const isNarrow = useIsNarrow();
  const labels: Record<Range, string> = isPast
    ? { hour: isNarrow ? '1 hour' : 'Hour before', week: isNarrow ? '7 days' : '7 days before' }
    : { hour: 'Last hour', week: isNarrow ? '7 days' : 'Last 7 days' };
  const options = RANGES.map((value) => ({ value, label: labels[value] }));
  return isNarrow ? (
    <span className="shrink-0">
      <Select {...props} label="Range" hideLabel options={options} />
    </span>
  ) : (
    <SegmentedControl {...props} label="Range" options={options} />
  );
}

/** Returns the time in ms since which servers have the counts of a range. */
function startOfStored(range: Range, now: number): number {
  const { ms, number } = PERIODS[range];
  return now - ms * number;
}

const KEPT: Record<Range, string> = {
  hour: 'Counts per minute are stored for one hour',
  week: 'Counts per hour are stored for 7 days',
};

interface NoteProps {
  range: Range;
  history: CallHistoryState;
  /** False if no counts of the time are stored any more. */
  isStored: boolean;
}

/** States which counts before an earlier time are not stored any more. */
function StoredNote({ range, history, isStored }: NoteProps) {
  const locale = useLocale();
  const start = startOfStored(range, useCurrentMinute());
  const first = history.state === 'ready' ? history.periods[0]?.start : undefined;
  if (isStored && (first === undefined || first >= start)) return null;
  return (
    <p className="text-muted text-secondary">
      {KEPT[range]}: {isStored ? `those before ${formatExact(start, locale)} are not` : 'none of this time are'} stored
      any more.
    </p>
  );
}

interface FilterProps {
  applications: readonly ApplicationCounts[];
  /** Null for all. */
  value: string | null;
  onChange: (application: string | undefined) => void;
}

function ApplicationFilter({ applications, value, onChange }: FilterProps) {
  const names = new Set(applications.map(({ name }) => name));
  if (value !== null) names.add(value);
  if (names.size < 2 && value === null) return null;
  // The prefix distinguishes all applications from the one without a name.
  const options = [...names].map((name) => ({ value: `=${name}`, label: name || OTHER_APPLICATIONS }));
  return (
    <Select
      label="Application"
      hideLabel
      value={value === null ? '' : `=${value}`}
      options={[{ value: '', label: 'All applications' }, ...options]}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen.slice(1))}
    />
  );
}

interface ContentProps {
  toggle: string;
  view: PastView | undefined;
  range: Range;
  isTableShown: boolean;
  onShowTable: (isShown: boolean) => void;
}

function HistoryContent({ history, ...rest }: ContentProps & { history: CallHistoryState }) {
  switch (history.state) {
    case 'loading':
      return <Skeleton height={212} />;
    case 'failed':
      return <ErrorPanel title="The counts could not be loaded" error={history.error} onRetry={history.reload} />;
    case 'unsupported':
      return <p className="text-muted">This server does not store counts per hour.</p>;
    case 'ready':
      return <ReadyHistory {...history} {...rest} />;
  }
}

type ReadyProps = Extract<CallHistoryState, { state: 'ready' }> & ContentProps;

function ReadyHistory(props: ReadyProps) {
  const { toggle, view, periods, applications, collectedSince, range, isTableShown, onShowTable } = props;
  const locale = useLocale();
  const { marks, isComplete } = useChangeMarks(toggle, periods, range);
  const { yes, no } = sumPeriods(periods);
  const gapText = collectedSince === undefined ? 'no reports' : 'no data';
  const source = collectedSince !== undefined && (
    <p className="text-muted text-secondary">
      Collected since {periodFormatter('hour', locale)(collectedSince)}, while this page is open: this server does not
      store counts per minute.
    </p>
  );
  if (periods.every(({ counts }) => counts === undefined)) {
    return (
      <div className="text-muted">
        {view && <p>No reports in the {range === 'hour' ? 'hour' : '7 days'} before this time.</p>}
        {!view && collectedSince !== undefined && (
          <p>No data yet. Counts appear at the end of each minute in which an application reported.</p>
        )}
        {!view && collectedSince === undefined && (
          <p>
            No reports in the {range === 'hour' ? 'last hour' : 'last 7 days'}. SDKs report about once a minute after
            they evaluate this toggle. See{' '}
            <TextLink to={paths.applications()} tone="accent" className="underline">
              Applications
            </TextLink>{' '}
            for how to connect one.
          </p>
        )}
        {source}
      </div>
    );
  }
  const label = `Calls per ${range === 'hour' ? 'minute' : 'hour'}: ${formatNumber(yes, locale)} yes, ${formatNumber(no, locale)} no`;
  return (
    <>
      <Legend
        gapText={periods.some(({ counts }) => !counts) ? gapText : undefined}
        hasMarks={marks.length > 0}
        isComplete={isComplete}
      />
      <CallChart
        label={label}
        periods={periods}
        range={range}
        gapText={gapText}
        marks={marks}
        eventHref={(id) => paths.loggedEvent(toggle, id, view)}
      />
      {source}
      {applications && <CallsByApplication applications={applications} />}
      <div className="grid gap-2">
        <Button
          size="small"
          className="justify-self-start"
          aria-expanded={isTableShown}
          onClick={() => onShowTable(!isTableShown)}
        >
          {isTableShown ? 'Hide table' : 'Show table'}
        </Button>
        {isTableShown && <PeriodTable periods={periods} range={range} />}
      </div>
    </>
  );
}

/** Number of marks that do not overlap. */
const MAX_MARKS = { narrow: 12, wide: 36 };

function useChangeMarks(toggle: string, periods: readonly Period[], range: Range) {
  const locale = useLocale();
  const environment = useServerEnvironment()?.name;
  const isNarrow = useIsNarrow();
  const { data } = useRead(polledFeatureEvents(toggle), { polls: true });
  const max = isNarrow ? MAX_MARKS.narrow : MAX_MARKS.wide;
  const events = data?.events ?? [];
  const oldest = events.at(-1);
  const segmentName = useSegmentName(events.flatMap((event) => getEventStrategies(event, events)));
  return {
    marks: toChangeMarks(events, periods, { range, locale, segmentName, environment, max }),
    /** The log that was read covers the whole chart. */
    isComplete: data?.nextBefore === undefined || !oldest || Date.parse(oldest.createdAt) <= (periods[0]?.start ?? 0),
  };
}

interface LegendProps {
  /** Meaning of the shaded periods; undefined if there are none. */
  gapText: string | undefined;
  hasMarks: boolean;
  isComplete: boolean;
}

function Legend({ gapText, hasMarks, isComplete }: LegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-label text-muted">
      <LegendItem kind="yes" text="Yes, above the line" />
      <LegendItem kind="no" text="No, below the line" />
      {gapText !== undefined && <LegendItem kind="gap" text={`Shaded: ${gapText}`} />}
      {hasMarks && (
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" className="call-chart-mark static! h-auto! min-w-3! translate-none!">
            <span />
          </span>
          {isComplete ? 'Changes of this toggle' : 'Newest changes of this toggle'}
        </li>
      )}
    </ul>
  );
}

function LegendItem({ kind, text }: { kind: 'yes' | 'no' | 'gap'; text: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`call-chart-swatch call-chart-${kind}`} />
      {text}
    </li>
  );
}

/** The counts of the chart as a table, newest first. */
function PeriodTable({ periods, range }: { periods: readonly Period[]; range: Range }) {
  const locale = useLocale();
  const formatPeriod = periodFormatter(range, locale);
  const label = range === 'hour' ? 'Counts per minute' : 'Counts per hour';
  const rows = periods.flatMap(({ start, counts }) => (counts ? [{ start, counts }] : [])).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
    <section aria-label={label} tabIndex={0} className="max-h-80 overflow-y-auto rounded-control border border-line">
      <CountsTable label={label} header={range === 'hour' ? 'Minute' : 'Hour'}>
        {rows.map(({ start, counts }) => (
          <CountsRow key={start} counts={counts}>
            {formatPeriod(start)}
          </CountsRow>
        ))}
      </CountsTable>
    </section>
  );
}

/** The counts of each application in the range. */
function CallsByApplication({ applications }: { applications: readonly ApplicationCounts[] }) {
  return (
    <CountsTable label="Calls by application" header="Application">
      {applications.map(({ name, ...counts }) => (
        <CountsRow key={name} counts={counts}>
          {name === '' ? (
            OTHER_APPLICATIONS
          ) : (
            <TextLink
              to={paths.application(name)}
              tone="accent"
              className="wrap-anywhere inline-flex items-center touch:min-h-touch"
            >
              {name}
            </TextLink>
          )}
        </CountsRow>
      ))}
    </CountsTable>
  );
}

/** The applications that the server does not count separately. */
const OTHER_APPLICATIONS = 'Other applications';

function CountsTable({ label, header, children }: { label: string; header: string; children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full text-secondary tabular-nums">
      <thead className="sticky top-0 bg-surface text-muted">
        <tr>
          <th scope="col" className={cx(CELL, 'text-left')}>
            {header}
          </th>
          {['Yes', 'No', 'Yes rate'].map((column) => (
            <th key={column} scope="col" className={cx(CELL, 'text-right')}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function CountsRow({ counts, children }: { counts: Counts; children: ReactNode }) {
  const locale = useLocale();
  return (
    <tr className="border-line border-t">
      <th scope="row" className={cx(CELL, 'text-left font-normal')}>
        {children}
      </th>
      <td className={cx(CELL, 'text-right')}>{formatNumber(counts.yes, locale)}</td>
      <td className={cx(CELL, 'text-right')}>{formatNumber(counts.no, locale)}</td>
      <td className={cx(CELL, 'text-right')}>{counts.yes + counts.no > 0 ? withPercentSign(yesRate(counts)) : '–'}</td>
    </tr>
  );
}

const CELL = 'px-1.5 py-1.5 font-medium sm:px-3';
