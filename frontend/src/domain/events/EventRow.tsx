// One event in two lines: author and action, then item and type. The row expands to the changes.
import { type ComponentType, useId, useState } from 'react';
import type { Event } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { truncate } from '@/lib/truncate';
import { TextLink } from '@/shared/TextLink';
import { ClockTime } from '@/ui/DayTime';
import { ChevronRightIcon } from '@/ui/icons';
import { describeEvent } from './describeEvent';
import { EventDetails } from './EventDetails';
import { getEventName } from './eventType';
import { eventRowId } from './useScrollToEvent';

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
