// One event in one line: author, action, item, changes and time. The row expands to the values before and after.
import { type ComponentType, memo, type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Event, Strategy, Toggle } from '@/api/generated/types';
import type { ChangeChip } from '@/domain/changes/changeChips';
import { DiffGroups } from '@/domain/changes/DiffGroups';
import { omitServerDiffs, omitServerFields } from '@/domain/changes/serverFields';
import {
  type DiffGroup,
  type DiffOptions,
  diffNewToggle,
  diffToggles,
  readableDiff,
} from '@/domain/changes/toggleDiffs';
import { EffectChip } from '@/domain/impact/EffectChip';
import { AsOfThenLink } from '@/domain/past/AsOfThenLink';
import { type SegmentName, useSegmentName } from '@/domain/strategies/useSegmentName';
import { cx } from '@/lib/cx';
import { formatExact } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { truncate } from '@/lib/text';
import { TextLink } from '@/shared/TextLink';
import { ClockTime } from '@/ui/DayTime';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { AuthorAvatar } from './AuthorAvatar';
import { describeHeadline } from './eventHeadline';
import type { EventEntry } from './eventEntries';
import { getEventName, getToggleAction } from './eventType';
import { getStrategyChange, type StrategyChange } from './newerEvents';
import { findEventEffect, findVersionBefore, getEventStrategies, getToggleVersion } from './toggleVersions';

export interface EventActionsProps {
  event: Event;
  /** Events that may contain the previous version. */
  allEvents: readonly Event[];
  /** `allEvents` are the log of one toggle. */
  isLog: boolean;
  eventHref: (event: Event) => string;
}

/** What users can do with an event. */
export interface EventActions {
  /** Button that undoes the change. `isOpen`: the row is expanded, and has space for the reason why it is disabled. */
  Undo: ComponentType<EventActionsProps & { isOpen: boolean }>;
  /** The effect of an undo, or the reason why there is nothing to undo. */
  UndoEffect: ComponentType<EventActionsProps>;
  Menu: ComponentType<EventActionsProps>;
}

export interface EventRowOptions extends Omit<EventActionsProps, 'event'> {
  /** Expand all rows to the stored data. */
  showData: boolean;
  /** Returns the link to the event's item; undefined if it no longer exists. If absent, the item is not shown. */
  subjectHref?: (event: Event) => string | undefined;
  /** Absent where nothing can be changed. */
  actions?: EventActions;
}

interface Props extends EventRowOptions {
  entry: EventEntry;
  /** The URL names this event. */
  isLinked: boolean;
  /** Shows the button that undoes the change also on phones: the newest change of a log is undone most often. */
  showsUndo: boolean;
}

/** Memoised, because a list grows by rendering more rows of the same events. */
export const EventRow = memo(function EventRow({
  entry,
  isLinked,
  showsUndo,
  showData,
  subjectHref,
  actions,
  ...source
}: Props) {
  const { event, tagCreation } = entry;
  const { allEvents, eventHref } = source;
  const id = useId();
  const [isToggled, setToggled] = useState<boolean>();
  const isOpen = isToggled ?? (showData || isLinked);
  const strategies = useMemo(() => getEventStrategies(event, allEvents), [event, allEvents]);
  const segmentName = useSegmentName(strategies);
  const headline = describeHeadline(event, allEvents, { locale: useLocale(), segmentName });
  return (
    <li id={eventRowId(event.id)} aria-current={isLinked || undefined} data-open={isOpen || undefined} className={ROW}>
      <button
        type="button"
        data-row=""
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-details` : undefined}
        aria-labelledby={`${id}-headline ${id}-changes`}
        onClick={() => setToggled(!isOpen)}
        className={TARGET}
      />
      <AuthorAvatar
        name={event.createdBy}
        className="pointer-events-none relative col-start-1 row-start-1 max-sm:self-start"
      />
      <p id={`${id}-headline`} className={HEADLINE}>
        <b className="font-semibold text-text">{event.createdBy || 'Unknown user'}</b> {`${headline.verb} `}
        <Subject event={event} kind={headline.kind} {...(subjectHref && { name: { to: subjectHref(event) } })} />
        {headline.state && (
          <b className={cx('font-semibold', headline.state === 'on' ? 'text-on' : 'text-text')}> {headline.state}</b>
        )}
        {headline.rest && ` ${headline.rest}`}
        {headline.place && ` ${headline.place}`}
      </p>
      <div className={ASIDE}>
        <span id={`${id}-changes`} className={CHANGES}>
          <Chips chips={headline.changes} isNewTag={tagCreation !== undefined} />
        </span>
        {actions && (
          <span className={cx(UNDO, showsUndo ? 'touch:opacity-100' : UNDO_IN_OPEN_ROW)}>
            <actions.Undo event={event} isOpen={isOpen} {...source} />
          </span>
        )}
      </div>
      <TextLink to={eventHref(event)} className={TIME}>
        <ClockTime value={event.createdAt} />
      </TextLink>
      {actions && (
        <span className={MENU}>
          <actions.Menu event={event} {...source} />
        </span>
      )}
      {isOpen && (
        <div id={`${id}-details`} className={DETAILS}>
          <EventDetails event={event} events={allEvents} segmentName={segmentName} showData={showData} />
          {tagCreation && showData && <StoredData event={tagCreation} />}
          <EventEffect event={event} events={allEvents} />
          {actions && <actions.UndoEffect event={event} {...source} />}
          <AsOfThenLink event={event} />
          <Metadata events={tagCreation ? [event, tagCreation] : [event]} />
        </div>
      )}
    </li>
  );
});

const ROW = cx(
  'group/row relative grid scroll-my-[25vh] items-center gap-x-2.5 px-3.5 text-muted',
  'sm:grid-cols-[20px_minmax(0,1fr)_auto_auto_auto] sm:grid-rows-[minmax(--spacing(10.5),auto)]',
  'max-sm:grid-cols-[20px_minmax(0,1fr)_auto] max-sm:px-3 max-sm:py-2.5',
  'not-first:border-line not-first:border-t',
  // Rows outside the window cost no layout.
  'sm:[contain-intrinsic-size:auto_42px] sm:[content-visibility:auto]',
  'hover:bg-sunken not-aria-current:data-open:bg-sunken aria-current:bg-accent-soft',
  'outline-accent -outline-offset-2 has-[[data-row]:focus-visible]:outline-2 forced-colors:aria-current:outline-2',
);

/** The button has the place of the avatar, and covers the line. Links and other buttons are above it. */
const TARGET = cx(
  'col-start-1 row-start-1 h-full min-h-5 w-5 outline-none',
  'after:absolute after:inset-0 sm:after:bottom-auto sm:after:h-10.5',
);

/** Texts do not receive the pointer, so that a click on them expands the row. The padding shows the edge of letters. */
const HEADLINE = cx(
  'pointer-events-none relative -ml-0.5 min-w-0 truncate pl-0.5 group-data-open/row:whitespace-normal',
  'max-sm:wrap-anywhere max-sm:whitespace-normal max-sm:pr-1',
);

/** Padding that does not change the layout gives links the height of a finger. */
const LINK = 'pointer-events-auto relative rounded-chip touch:-my-3 touch:py-3 max-sm:inline-block';

const ASIDE = cx(
  'pointer-events-none relative flex min-w-0 items-center sm:max-w-70 lg:max-w-120 sm:justify-end',
  'max-sm:col-[2/4] max-sm:row-start-2 max-sm:flex-wrap max-sm:gap-2 max-sm:group-data-open/row:col-[2/3]',
);

const CHANGES = 'flex min-w-0 items-center gap-2 empty:hidden max-sm:mt-1.5 max-sm:flex-wrap';

/** Beside the changes while the pointer or the focus is in the row. */
const UNDO = cx(
  'flex items-center *:pointer-events-auto sm:absolute sm:inset-y-0 sm:right-full sm:mr-2',
  'opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 group-data-open/row:opacity-100',
  'max-sm:mt-1.5',
);

/** A finger must not press a button that is not visible. */
const UNDO_IN_OPEN_ROW = 'max-sm:not-group-data-open/row:hidden any-pointer-coarse:not-group-data-open/row:hidden';

const TIME = cx(
  'relative rounded-chip text-right text-secondary tabular-nums sm:min-w-17',
  'max-sm:col-start-3 max-sm:row-start-1 max-sm:self-start max-sm:pt-px touch:-my-3 touch:py-3',
);

const MENU = cx(
  'relative -mr-2 flex max-sm:col-start-3 max-sm:row-start-2 max-sm:justify-self-end max-sm:not-group-data-open/row:hidden',
);

const DETAILS = cx(
  'relative col-span-full mb-3 grid gap-3 rounded-control border border-line bg-surface p-3 sm:ml-7.5 max-sm:mt-2 max-sm:mb-1',
  'text-secondary text-text',
);

interface SubjectProps {
  event: Event;
  /** Such as `the toggle`. */
  kind: string;
  /** The item is named, with a link while it exists. */
  name?: { to: string | undefined };
}

function Subject({ event, kind, name }: SubjectProps) {
  const text = name ? getEventName(event) : '';
  if (text === '' || !name) return kind;
  // Most events are about toggles, so their kind is not named.
  const isToggle = getToggleAction(event) !== undefined;
  return (
    <>
      {kind !== '' && !isToggle && `${kind} `}
      {name.to === undefined ? (
        <b className="font-semibold text-text">{text}</b>
      ) : (
        <TextLink to={name.to} className={cx(LINK, 'font-semibold text-text')}>
          {text}
        </TextLink>
      )}
    </>
  );
}

/** Number of changes in a line. */
const MAX_CHIPS = 2;
const MAX_LABEL = 48;

interface ChipsProps {
  chips: readonly ChangeChip[];
  isNewTag: boolean;
}

function Chips({ chips, isNewTag }: ChipsProps) {
  const more = chips.length - MAX_CHIPS;
  return (
    <>
      {chips.slice(0, MAX_CHIPS).map((chip) => (
        <span key={`${chip.kind} ${chip.label}`} className={CHIP}>
          {chip.kind === 'added' && (
            <>
              <span aria-hidden="true">+ </span>
              <VisuallyHidden>added </VisuallyHidden>
            </>
          )}
          {chip.kind === 'removed' && (
            <>
              <span aria-hidden="true">− </span>
              <VisuallyHidden>removed </VisuallyHidden>
            </>
          )}
          {truncate(chip.label, MAX_LABEL)}
          {chip.values && <Values {...chip} values={chip.values} />}
          {isNewTag && <span className="font-normal text-muted"> new tag</span>}
        </span>
      ))}
      {more > 0 && <span className={cx(CHIP, 'shrink-0')}>+{more}</span>}
    </>
  );
}

const CHIP = cx(
  'min-w-0 truncate rounded-chip px-1.75 py-px font-medium text-label/5 text-text forced-colors:border',
  // The row is sunken while the pointer is over it, and while it is open.
  'bg-sunken group-hover/row:bg-surface group-data-open/row:bg-surface',
  'dark:bg-line dark:group-hover/row:bg-line dark:group-data-open/row:bg-line',
);

function Values({ values: [before, after] }: { values: readonly [string, string] }): ReactNode {
  return (
    <>
      {' '}
      <s className="text-danger decoration-1">{truncate(before, MAX_LABEL / 2)}</s>
      <span aria-hidden="true"> → </span>
      <VisuallyHidden> to </VisuallyHidden>
      <b className="font-semibold text-on">{truncate(after, MAX_LABEL / 2)}</b>
    </>
  );
}

/** The type and the exact time of the events of a row. */
function Metadata({ events }: { events: readonly Event[] }) {
  const locale = useLocale();
  const at = Date.parse(events[0]?.createdAt ?? '');
  return (
    <p className="text-faint text-label">
      {events.map(({ type }) => type).join(', ')}
      {!Number.isNaN(at) && ` · ${formatExact(at, locale)}`}
    </p>
  );
}

// The changes of one event, or with "Full events" its stored data.

interface EventDetailsProps {
  event: Event;
  /** Events that may contain the previous version. */
  events: readonly Event[];
  segmentName: SegmentName;
  showData: boolean;
}

function EventDetails({ event, events, segmentName, showData }: EventDetailsProps) {
  const locale = useLocale();
  if (showData) return <StoredData event={event} />;
  const groups = findEventDiffs(event, events, { locale, segmentName });
  if (groups.length === 0) return <p className="text-muted text-secondary">No changed settings</p>;
  return <DiffGroups groups={groups} />;
}

/** Whether the change widened or narrowed who got the feature. */
function EventEffect({ event, events }: { event: Event; events: readonly Event[] }) {
  const effect = findEventEffect(event, events);
  return effect && <EffectChip effect={effect} />;
}

function StoredData({ event }: { event: Event }) {
  return (
    <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-label text-muted">
      {JSON.stringify(event.data, null, 2)}
    </pre>
  );
}

/** Returns the differences from the previous version, or all data of an event without a previous version. */
export function findEventDiffs(event: Event, events: readonly Event[], options: DiffOptions): readonly DiffGroup[] {
  const { data, diffs } = event;
  const change = getStrategyChange(event);
  if (change) return diffStrategyChange(change, options);
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  if (before) return diffToggles(before, after, options);
  if (after && !diffs) return diffNewToggle(after, options);
  // Their data is only the name, so servers report all fields as removed or added.
  if (isArchiveEvent(event)) return [];
  const others = diffs ? omitServerDiffs(diffs) : readableDiff({}, omitServerFields(data ?? {}));
  return others.length > 0 ? [{ subject: diffs ? 'Changes' : 'Data', diffs: others }] : [];
}

function diffStrategyChange({ before, after }: StrategyChange, options: DiffOptions): readonly DiffGroup[] {
  const parts = (strategy: Strategy | undefined) => ({ strategies: strategy ? [strategy] : [], variants: [] });
  return diffToggles(parts(before), parts(after) as Partial<Toggle> as Toggle, options);
}

function isArchiveEvent(event: Event): boolean {
  return ['archived', 'revived'].includes(getToggleAction(event) ?? '');
}

/** Returns the DOM id of an event's row. */
function eventRowId(id: number): string {
  return `event-${id}`;
}

/** Scrolls to the row of the event that the URL names and focuses it. */
export function useScrollToEvent(id: number | undefined): void {
  const { key } = useLocation();
  // Scrolling needs the rendered rows. The location key repeats it for a link to the current URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with each navigation.
  useEffect(() => {
    const row = id !== undefined && document.getElementById(eventRowId(id));
    if (!row) return;
    row.scrollIntoView({ block: 'nearest' });
    row.querySelector('button')?.focus({ preventScroll: true });
  }, [id, key]);
}
