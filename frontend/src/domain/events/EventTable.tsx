// Table of events, newest first. On phones, each event is a card.
import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { type Column, columnsWithCells } from '@/ui/Column';
import { TABLE_BOX } from '@/ui/PlainTable';
import { TableHead } from '@/ui/TableHead';
import { Time } from '@/ui/Time';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { CopyEvent } from './CopyEvents';
import { getEventName } from './describeEvent';
import { EventChange } from './EventChange';

interface CellOptions {
  /** Show the full data of each event instead of its changes. */
  showData: boolean;
  /** Link to the event. */
  eventHref: (event: Event) => string;
  /** Link to the event's subject; undefined if it no longer exists. */
  subjectHref?: (event: Event) => string | undefined;
  /** Additional action for an event. */
  action?: (event: Event) => ReactNode;
}

const eventColumns = ({ showData, eventHref, subjectHref }: CellOptions): readonly Column<Event>[] => [
  {
    header: 'Changed at',
    width: '7rem',
    className: 'text-muted',
    cell: (event) => (
      <TextLink to={eventHref(event)} className={LINK}>
        <Time value={event.createdAt} />
      </TextLink>
    ),
  },
  { header: 'Changed by', width: '10rem', cell: ({ createdBy }) => createdBy },
  { header: 'Type', width: '10rem', cell: ({ type }) => <Chip>{type}</Chip> },
  {
    header: 'Name',
    width: '9rem',
    className: 'font-medium',
    cell: (event) => <Name event={event} to={subjectHref?.(event)} />,
  },
  {
    header: showData ? 'Full event' : 'Diff',
    className: 'max-lg:w-full',
    cell: (event) => <EventChange event={event} showData={showData} />,
  },
];

interface Props extends CellOptions {
  events: readonly Event[];
  /** Id of the event in the URL. */
  current?: number | undefined;
}

export function EventTable({ events, current, ...options }: Props) {
  const { eventHref, action } = options;
  const { rendered, placeholder } = useIncrementalRows(
    events,
    current === undefined ? 0 : events.findIndex(({ id }) => id === current) + 1,
  );
  const columns = eventColumns(options);
  return (
    <div className={TABLE_BOX}>
      <table
        aria-rowcount={placeholder ? events.length + 1 : undefined}
        className="block w-full lg:table lg:table-fixed"
      >
        <TableHead columns={columns} actionsWidth={action ? '10rem' : '4rem'} className="max-lg:sr-only" />
        <tbody className="block lg:table-row-group">
          {rendered.map((event) => (
            <tr
              key={event.id}
              id={eventRowId(event.id)}
              aria-current={event.id === current || undefined}
              className={ROW}
            >
              {columnsWithCells(columns).map(({ header, className, cell }) => (
                <td key={header} className={cx(CELL, className)}>
                  {cell(event)}
                </td>
              ))}
              <td className={CELL}>
                <span className="flex items-center gap-2 lg:-my-1 lg:justify-end">
                  {action?.(event)}
                  <CopyEvent event={event} eventHref={eventHref} />
                </span>
              </td>
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
    <TextLink to={to} className={`${LINK} text-text`}>
      {name}
    </TextLink>
  );
}

const LINK = 'rounded-chip touch:inline-flex touch:min-h-touch touch:items-center';

const ROW = cx(
  'align-top not-first:border-line not-first:border-t aria-current:bg-accent-soft',
  'scroll-my-[25vh] flex flex-wrap items-center gap-x-3 gap-y-2 p-4 lg:table-row',
);

const CELL = 'wrap-anywhere min-w-0 text-secondary lg:px-2 lg:py-3 lg:first:pl-4 lg:last:pr-4';
