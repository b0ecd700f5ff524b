// Table of events, newest first. On phones, each event is a card.
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Event } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Chip } from '@/ui/Chip';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { Time } from '@/ui/Time';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { CopyEvent } from './CopyEvents';
import { getEventName } from './describeEvent';
import { EventChange } from './EventChange';

interface Props {
  events: readonly Event[];
  /** Show the full data of each event instead of its changes. */
  showData: boolean;
  /** Link to the event. */
  eventHref: (event: Event) => string;
  /** Link to the event's subject; undefined if it no longer exists. */
  subjectHref?: (event: Event) => string | undefined;
  /** Id of the event in the URL. */
  current?: number | undefined;
  /** Additional action for an event. */
  action?: (event: Event) => ReactNode;
}

export function EventTable({ events, showData, eventHref, subjectHref, current, action }: Props) {
  const { rendered, placeholder } = useIncrementalRows(
    events,
    current === undefined ? 0 : events.findIndex(({ id }) => id === current) + 1,
  );
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <table
        aria-rowcount={placeholder ? events.length + 1 : undefined}
        className="block w-full lg:table lg:table-fixed"
      >
        <thead className="max-lg:sr-only">
          <tr className="border-line border-b">
            <ColumnHeader className="w-28">Changed at</ColumnHeader>
            <ColumnHeader className="w-40">Changed by</ColumnHeader>
            <ColumnHeader className="w-40">Type</ColumnHeader>
            <ColumnHeader className="w-36">Name</ColumnHeader>
            <ColumnHeader>{showData ? 'Full event' : 'Diff'}</ColumnHeader>
            <ColumnHeader className={action ? 'w-40' : 'w-16'}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </ColumnHeader>
          </tr>
        </thead>
        <tbody className="block lg:table-row-group">
          {rendered.map((event) => (
            <tr
              key={event.id}
              id={eventRowId(event.id)}
              aria-current={event.id === current || undefined}
              className={ROW}
            >
              <Cell className="text-muted">
                <Link to={eventHref(event)} className={LINK}>
                  <Time value={event.createdAt} />
                </Link>
              </Cell>
              <Cell>{event.createdBy}</Cell>
              <Cell>
                <Chip>{event.type}</Chip>
              </Cell>
              <Cell className="font-medium">
                <Name event={event} to={subjectHref?.(event)} />
              </Cell>
              <Cell className="max-lg:w-full">
                <EventChange event={event} showData={showData} />
              </Cell>
              <Cell>
                <span className="flex items-center gap-2 lg:-my-1 lg:justify-end">
                  {action?.(event)}
                  <CopyEvent event={event} eventHref={eventHref} />
                </span>
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
      {placeholder}
    </div>
  );
}

/** Returns the DOM id of an event's row. */
export function eventRowId(id: number): string {
  return `event-${id}`;
}

function Name({ event, to }: { event: Event; to: string | undefined }) {
  const name = getEventName(event);
  if (to === undefined || name === '') return name;
  return (
    <Link to={to} className={cx(LINK, 'text-text')}>
      {name}
    </Link>
  );
}

const LINK = 'rounded-chip hover:text-accent hover:underline touch:inline-flex touch:min-h-touch touch:items-center';

const ROW = cx(
  'align-top not-first:border-line not-first:border-t aria-current:bg-accent-soft',
  'scroll-my-[25vh] flex flex-wrap items-center gap-x-3 gap-y-2 p-4 lg:table-row',
);

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td className={cx('wrap-anywhere min-w-0 text-secondary lg:px-2 lg:py-3 lg:first:pl-4 lg:last:pr-4', className)}>
      {children}
    </td>
  );
}
