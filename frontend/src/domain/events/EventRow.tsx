// One event in two lines: author and action, then item and type. The row expands to the changes.
import { type ComponentType, useEffect, useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Event, Strategy, Toggle } from '@/api/generated/types';
import { DiffGroups } from '@/domain/changes/DiffGroups';
import { omitServerDiffs, omitServerFields } from '@/domain/changes/serverFields';
import { type DiffGroup, diffNewToggle, diffToggles, readableDiff } from '@/domain/changes/toggleDiffs';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { truncate } from '@/lib/text';
import { TextLink } from '@/shared/TextLink';
import { ClockTime } from '@/ui/DayTime';
import { ChevronRightIcon } from '@/ui/icons';
import { describeEvent } from './describeEvent';
import { getEventName, getToggleAction } from './eventType';
import { getStrategyChange, type StrategyChange } from './newerEvents';
import { findVersionBefore, getToggleVersion } from './toggleVersions';

export interface EventActionsProps {
  event: Event;
  /** Events that may contain the previous version. */
  allEvents: readonly Event[];
  /** `allEvents` are the log of one toggle. */
  isLog: boolean;
  eventHref: (event: Event) => string;
}

export interface EventRowOptions extends Omit<EventActionsProps, 'event'> {
  /** Expand all rows to the stored data. */
  showData: boolean;
  /** Returns the link to the event's item; undefined if it no longer exists. If absent, the item is not shown. */
  subjectHref?: (event: Event) => string | undefined;
  /** Buttons of a row. */
  Actions: ComponentType<EventActionsProps>;
}

interface Props extends EventRowOptions {
  event: Event;
  /** The URL names this event. */
  isLinked: boolean;
}

/** Longer descriptions, such as of constraints with many values, are shown in the changes. */
const MAX_DESCRIPTION = 200;

export function EventRow({ event, isLinked, showData, subjectHref, Actions, ...source }: Props) {
  const { allEvents, eventHref } = source;
  const id = useId();
  const locale = useLocale();
  const [isToggled, setToggled] = useState<boolean>();
  const isOpen = isToggled ?? (showData || isLinked);
  return (
    <li id={eventRowId(event.id)} aria-current={isLinked || undefined} className={ROW}>
      <div className="relative flex items-start gap-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setToggled(!isOpen)}
          className="flex min-w-0 flex-1 gap-2 text-left after:absolute after:-inset-x-4 after:-top-2.5 after:bottom-0 touch:after:-bottom-3"
        >
          <ChevronRightIcon
            size={14}
            className={cx('mt-0.75 shrink-0 text-muted transition-transform duration-120', isOpen && 'rotate-90')}
          />
          <span className="wrap-anywhere min-w-0">
            <b className="font-semibold">{event.createdBy || 'Unknown user'}</b>{' '}
            {truncate(describeEvent(event, allEvents, locale), MAX_DESCRIPTION)}
          </span>
        </button>
        <TextLink to={eventHref(event)} className={cx(LINK, 'shrink-0 text-muted text-secondary tabular-nums')}>
          <ClockTime value={event.createdAt} />
        </TextLink>
      </div>
      <div className="flex min-h-control-small items-center gap-2 pl-5.5">
        <p className="wrap-anywhere min-w-0 flex-1 text-muted text-secondary">
          {subjectHref && <Subject event={event} to={subjectHref(event)} />}
          <span className="inline-block">{event.type}</span>
        </p>
        <span className="flex shrink-0 items-center gap-1">
          <Actions event={event} {...source} />
        </span>
      </div>
      {isOpen && (
        <div id={id} className="mt-2 mb-1 ml-5.5 rounded-control bg-sunken p-3 max-sm:ml-0">
          <EventDetails event={event} events={allEvents} showData={showData} />
        </div>
      )}
    </li>
  );
}

function Subject({ event, to }: { event: Event; to: string | undefined }) {
  const name = getEventName(event);
  if (name === '') return null;
  return (
    <>
      {to === undefined ? (
        name
      ) : (
        <TextLink to={to} className={cx(LINK, 'font-medium text-text')}>
          {name}
        </TextLink>
      )}
      <span aria-hidden="true"> · </span>
    </>
  );
}

/** Padding that does not change the layout gives links the height of a finger. */
const LINK = 'relative rounded-chip touch:-my-3 touch:py-3';

const ROW = cx(
  'scroll-my-[25vh] px-4 py-2.5 not-first:border-line not-first:border-t',
  'first:rounded-t-card last:rounded-b-card aria-current:bg-accent-soft',
);

// The changes of one event, or with "Full events" its stored data.

interface EventDetailsProps {
  event: Event;
  /** Events that may contain the previous version. */
  events: readonly Event[];
  showData: boolean;
}

function EventDetails({ event, events, showData }: EventDetailsProps) {
  const locale = useLocale();
  if (showData) {
    return (
      <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-label text-muted">
        {JSON.stringify(event.data, null, 2)}
      </pre>
    );
  }
  const groups = findEventDiffs(event, events, locale);
  if (groups.length === 0) return <p className="text-muted text-secondary">No changed settings</p>;
  return <DiffGroups groups={groups} />;
}

/** Returns the differences from the previous version, or all data of an event without a previous version. */
export function findEventDiffs(event: Event, events: readonly Event[], locale: string): readonly DiffGroup[] {
  const { data, diffs } = event;
  const change = getStrategyChange(event);
  if (change) return diffStrategyChange(change, locale);
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  if (before) return diffToggles(before, after, locale);
  if (after && !diffs) return diffNewToggle(after, locale);
  // Their data is only the name, so servers report all fields as removed or added.
  if (isArchiveEvent(event)) return [];
  const others = diffs ? omitServerDiffs(diffs) : readableDiff({}, omitServerFields(data ?? {}));
  return others.length > 0 ? [{ subject: diffs ? 'Changes' : 'Data', diffs: others }] : [];
}

function diffStrategyChange({ before, after }: StrategyChange, locale: string): readonly DiffGroup[] {
  const parts = (strategy: Strategy | undefined) => ({ strategies: strategy ? [strategy] : [], variants: [] });
  return diffToggles(parts(before), parts(after) as Partial<Toggle> as Toggle, locale);
}

function isArchiveEvent(event: Event): boolean {
  return ['archived', 'revived'].includes(getToggleAction(event) ?? '');
}

/** Returns the DOM id of an event's row. */
function eventRowId(id: number): string {
  return `event-${id}`;
}

/** Scrolls to the event that the URL names and focuses it. */
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
