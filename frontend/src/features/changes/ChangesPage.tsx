import { type ReactNode, useId, useState, useSyncExternalStore } from 'react';
import { events as allEvents, featureEvents, featureHistory, recordedChanges } from '@/api/endpoints';
import { useServerEnvironment } from '@/api/environment';
import { isNotFound } from '@/api/error';
import type { Event, Interval, PastHold, RecorderStatus, Strategy } from '@/api/generated/types';
import { useIsProfileLoading } from '@/api/permissions';
import { useCanReadRecords, useRecordedQuery, useRecorder } from '@/api/recorded';
import type { RecordedChange, RecordedChanges } from '@/api/recordedTypes';
import { useSettings } from '@/api/settings';
import { useRead } from '@/api/useRead';
import { DiffGroups } from '@/domain/changes/DiffGroups';
import { summariseToggleChanges } from '@/domain/changes/summariseChanges';
import { diffToggles } from '@/domain/changes/toggleDiffs';
import { HistoryViews } from '@/domain/events/HistoryViews';
import { ChangeTime } from '@/domain/past/ChangeTime';
import { describeGap, describePastHold, justBefore } from '@/domain/past/describeRecording';
import { RecordingFailure } from '@/domain/past/RecordingFailure';
import { ScopeSelect } from '@/domain/past/ScopeSelect';
import { type SegmentName, useSegmentName } from '@/domain/strategies/useSegmentName';
import { clockNow, subscribeClock } from '@/lib/clock';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { inPast, paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { PeriodChips } from '@/shared/TimeRange';
import { PERIODS, rangeOfPeriod, type TimeRange, validMoment } from '@/shared/timeRange';
import { useUrlParams } from '@/shared/useUrlParams';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ChevronDownIcon, ChevronRightIcon, ReviewIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import {
  describeState,
  findAuthors,
  findRates,
  findResolution,
  type Rate,
  RESOLUTIONS,
  toRequestTimes,
} from './changes';

/** The toggles that SDKs got differently at the end of a period than at its start. */
export function ChangesPage() {
  const settings = useSettings();
  const canRead = useCanReadRecords();
  const isProfileLoading = useIsProfileLoading();
  const { data, error, reload } = useRecorder();
  if (settings === undefined) return null;
  return (
    <>
      <PageHeader title="What changed for SDKs" />
      <HistoryViews />
      {!settings.recorder && (
        <NoRecords title="Earlier states are not recorded">
          Flagdeck records the toggles of SDKs when it runs with the setting recorder and a folder.
        </NoRecords>
      )}
      {settings.recorder && !canRead && !isProfileLoading && (
        <NoRecords title="Only administrators can see earlier states">
          The records contain the toggles of all projects. Ask an administrator of the flag service.
        </NoRecords>
      )}
      {canRead && !data && (error ? <RecordingFailure error={error} onRetry={reload} /> : <Loading />)}
      {data && <Changes recorder={data} />}
    </>
  );
}

function Loading() {
  return <Progress label="Loading the changes" />;
}

function NoRecords({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <EmptyState icon={<ReviewIcon size={20} />} title={title}>
        {children}
      </EmptyState>
    </Card>
  );
}

const RANGES = PERIODS.filter((period) => period !== 'any');

/** The period in the URL, by default the last hour. */
function useChangesRange() {
  const [params, change] = useUrlParams();
  const [lastHour] = useState(() => rangeOfPeriod('hour', Date.now()));
  const rangeOf = (current: URLSearchParams): TimeRange => ({
    from: validMoment(current.get('from') ?? '') || lastHour.from,
    until: validMoment(current.get('to') ?? ''),
  });
  const narrow = (part: Partial<TimeRange>) => {
    change((current) => {
      const next = { ...rangeOf(current), ...part };
      current.set('from', next.from || lastHour.from);
      if (next.until === '') current.delete('to');
      else current.set('to', next.until);
      return current;
    });
  };
  return { range: rangeOf(params), narrow };
}

function Changes({ recorder }: { recorder: RecorderStatus }) {
  const locale = useLocale();
  const { range, narrow } = useChangesRange();
  const [params, changeParams] = useUrlParams();
  const scope = params.get('scope') ?? undefined;
  const requestAt = (now: number) => toRequestTimes(range, { firstRecord: recorder.firstRecord, now });
  // Only the end depends on the clock: it is sent when it has passed.
  const to = useSyncExternalStore(subscribeClock, () => requestAt(clockNow()).to);
  const times = { from: requestAt(0).from, to };
  const query = useRecordedQuery(times, scope);
  const { data, error, reload } = useRead(recordedChanges(query));
  const isClamped = times.from !== range.from;
  // The time between the first start of the recorder and the first toggles is no news.
  const gaps = data?.gaps.filter(({ reason }) => !isClamped || reason !== 'notRequested') ?? [];
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <PeriodChips range={range} onChange={narrow} periods={RANGES} hasRange />
      </div>
      <div role="status" className="wrap-anywhere grid gap-1 text-muted text-secondary empty:hidden">
        {isClamped && data && <p>The records begin in this period.</p>}
        {gaps.map((gap) => (
          <p key={gap.from} className="text-warn">
            {describeGap(gap, locale)} Changes in this time are known only by their result.
          </p>
        ))}
        {data && data.missed > 0 && (
          <p className="text-warn">
            {formatNumber(data.missed, locale)} states between these were not recorded, because others followed too
            fast.
          </p>
        )}
        {data?.isTruncated && (
          <p className="text-warn">
            More toggles changed than one response contains. Choose a shorter period to see the others.
          </p>
        )}
        <ScopeSelect
          selected={scope ?? data?.scope.id}
          onChange={(next) =>
            changeParams((current) => {
              current.set('scope', next);
              return current;
            })
          }
        />
      </div>
      {data && <ChangeList changes={data} scope={scope} />}
      {!data && (error ? <RecordingFailure error={error} onRetry={reload} /> : <Loading />)}
    </div>
  );
}

/** With at most so many changes, all are open. */
const MAX_OPEN = 3;

function ChangeList({ changes: { changes, holds }, scope }: { changes: RecordedChanges; scope: string | undefined }) {
  const newestFirst = changes.toReversed();
  const { rendered, placeholder } = useIncrementalRows(newestFirst);
  // The newest events; an open row reads those of its toggle.
  const { data } = useRead(changes.length > 0 ? allEvents : null);
  const others = holds.filter(({ toggle }) => !changes.some(({ kind, name }) => kind === 'toggle' && name === toggle));
  if (changes.length === 0 && others.length === 0) {
    return (
      <NoRecords title="No changes">SDKs got the same toggles during this period, as far as it is recorded.</NoRecords>
    );
  }
  return (
    <div className="grid gap-4">
      {others.length > 0 && <HoldList holds={others} />}
      {changes.length > 0 && (
        <ol aria-label="Changes" className="rounded-card border border-line bg-surface shadow-card">
          {rendered.map((change) => (
            <ChangeRow
              key={`${change.kind} ${change.name}`}
              change={change}
              events={data?.events ?? []}
              holds={holds.filter(({ toggle }) => change.kind === 'toggle' && toggle === change.name)}
              scope={scope}
              isInitiallyOpen={changes.length <= MAX_OPEN}
            />
          ))}
        </ol>
      )}
      {placeholder}
    </div>
  );
}

/** Holds of toggles that the flag service did not change. */
function HoldList({ holds }: { holds: readonly PastHold[] }) {
  const locale = useLocale();
  return (
    <ul aria-label="Holds" className="rounded-card border border-line bg-surface shadow-card">
      {holds.map((hold) => (
        <li
          key={`${hold.toggle} ${hold.start}`}
          className="wrap-anywhere not-first:border-line not-first:border-t px-4 py-3 max-sm:px-3"
        >
          <b className="font-semibold">{hold.toggle}</b>{' '}
          <span className="mt-1 block text-muted text-secondary">{describePastHold(hold, locale)}</span>
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  change: RecordedChange;
  events: readonly Event[];
  /** Holds of the toggle, which SDKs got as off. */
  holds: readonly PastHold[];
  scope: string | undefined;
  isInitiallyOpen: boolean;
}

function ChangeRow({ change, events, holds, scope, isInitiallyOpen }: RowProps) {
  const { kind, name, count, first, last } = change;
  const locale = useLocale();
  const id = useId();
  const [isOpen, setOpen] = useState(isInitiallyOpen && kind === 'toggle');
  const own = useRead(isOpen && kind === 'toggle' ? featureEvents(name) : null).data?.events;
  const segmentName = useSegmentName(findStrategies(change));
  const authors = findAuthors(change, own ?? events, useServerEnvironment()?.name);
  const view = (at: string) => ({ at, ...(scope !== undefined && { scope }) });
  const Icon = isOpen ? ChevronDownIcon : ChevronRightIcon;
  // Below the name, beside the button that opens the details.
  const inset = kind === 'toggle' && 'sm:pl-7.5';
  return (
    <li className="grid gap-1.5 not-first:border-line not-first:border-t px-4 py-3 max-sm:px-3">
      <div className="flex min-w-0 items-start gap-2">
        {kind === 'toggle' && (
          <Button
            variant="ghost"
            size="small"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={`Details of ${name}`}
            icon={<Icon size={16} />}
            className="-my-1 -mr-1.5 -ml-2 gap-0 px-1.5 touch:-my-3 touch:w-touch"
            onClick={() => setOpen(!isOpen)}
          />
        )}
        <p className="wrap-anywhere min-w-0 flex-1">
          <b className={cx('font-semibold', kind === 'toggle' && 'block')}>
            {kind === 'segment' ? `Segment ${name}` : name}
          </b>{' '}
          <Sentence change={change} authors={authors} segmentName={segmentName} isHeld={holds.length > 0} />
        </p>
      </div>
      <p className={cx('wrap-anywhere text-muted text-secondary', inset)}>
        {count > 1 && `${formatNumber(count, locale)} changes, the last one at `}
        <ChangeTime interval={last} />
      </p>
      {holds.map((hold) => (
        <p key={hold.start} className={cx('wrap-anywhere text-secondary', inset)}>
          {describePastHold(hold, locale)}
        </p>
      ))}
      {change.kind === 'toggle' && (
        <>
          <p className={cx('flex flex-wrap gap-x-4 text-secondary', inset)}>
            {change.before && (
              <TextLink tone="accent" to={inPast(paths.toggle(name), view(justBefore(first)))} className={LINK}>
                Toggle before
              </TextLink>
            )}
            {change.after && (
              <TextLink tone="accent" to={inPast(paths.toggle(name), view(last.by))} className={LINK}>
                Toggle after
              </TextLink>
            )}
            <TextLink tone="accent" to={paths.toggleHistory(name)} className={LINK}>
              Log
            </TextLink>
          </p>
          {isOpen && (
            <div
              id={id}
              className="grid min-w-0 gap-3 rounded-control border border-line bg-bg p-3 text-secondary sm:ml-7.5"
            >
              <States {...change} segmentName={segmentName} />
              <Evaluations name={name} interval={last} />
              {change.before && change.after && (
                <DiffGroups groups={diffToggles(change.before, change.after, { locale, segmentName })} />
              )}
            </div>
          )}
        </>
      )}
    </li>
  );
}

const LINK = 'inline-flex items-center touch:min-h-touch';

/** What changed, and who changed it if an event of the flag service matches the interval. */
function Sentence({
  change,
  authors,
  segmentName,
  isHeld,
}: {
  change: RecordedChange;
  authors: readonly string[];
  segmentName: SegmentName;
  isHeld: boolean;
}) {
  const locale = useLocale();
  const by = authors.length > 0 && <span className="text-muted"> by {authors.join(', ')}</span>;
  if (change.kind === 'segment' || !change.before || !change.after) {
    return (
      <>
        {change.summary}
        {by}
      </>
    );
  }
  const text = summariseToggleChanges(change.before, change.after, { locale, segmentName });
  // A hold may be the whole change.
  if (text === undefined || (isHeld && authors.length === 0)) return change.summary;
  return `${authors.join(', ') || 'Someone'} ${text}`;
}

function findStrategies(change: RecordedChange): Strategy[] {
  return change.kind === 'toggle' ? [change.before, change.after].flatMap((toggle) => toggle?.strategies ?? []) : [];
}

type StatesProps = RecordedChange & { kind: 'toggle'; segmentName: SegmentName };

function States({ before, after, segmentName }: StatesProps) {
  return (
    <dl className="wrap-anywhere grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-muted">Before</dt>
      <dd>{describeState(before, segmentName)}</dd>
      <dt className="text-muted">After</dt>
      <dd>{describeState(after, segmentName)}</dd>
    </dl>
  );
}

function describeRate(perMinute: number, locale: string): string {
  return perMinute > 0 && perMinute < 1 ? 'less than 1' : formatNumber(Math.round(perMinute), locale);
}

/** Evaluations per minute before and after a change, if the flag service stores them. */
function Evaluations({ name, interval }: { name: string; interval: Interval }) {
  const locale = useLocale();
  const here = useServerEnvironment();
  const now = clockNow();
  const resolution = findResolution(interval, now);
  const path = resolution === 'minutes' ? 'minutes' : 'raw?hoursBack=168';
  const { data, error } = useRead(resolution ? featureHistory(name, path) : null);
  if (resolution === undefined) return <p className="text-muted">Evaluations are stored for 7 days.</p>;
  if (error) {
    const reason = isNotFound(error) ? 'This flag service does not store them.' : error.message;
    return <p className="text-muted">Evaluations per minute are not available. {reason}</p>;
  }
  if (!data) return <p className="text-muted">Loading the evaluations…</p>;
  const counts = data.data.filter(({ environment }) => !here || environment === here.name);
  const { before, after } = findRates(counts, interval, { resolution, now });
  const { text } = RESOLUTIONS[resolution];
  const describe = (value: keyof Rate) =>
    [before, after].map((rate) => (rate ? describeRate(rate[value], locale) : 'not complete yet')).join(' → ');
  return (
    <dl className="grid gap-x-4 gap-y-1 tabular-nums sm:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-muted">Yes per minute, {text} before → after</dt>
      <dd>{describe('yes')}</dd>
      <dt className="text-muted">No per minute, {text} before → after</dt>
      <dd>{describe('no')}</dd>
    </dl>
  );
}
