// Filtered list of events for both history pages. Scrolls to the event that the URL names.

import { useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Endpoint } from '@/api/client';
import type { Event } from '@/api/generated/types';
import { CopyEvents } from '@/domain/events/CopyEvents';
import { EventTable, eventRowId } from '@/domain/events/EventTable';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon, NotFoundIcon } from '@/ui/icons';
import { useEventFilter } from '../useEventFilter';
import { useSubjectHref } from '../useSubjectHref';
import { EventFilterBar } from './EventFilterBar';
import { EventsSkeleton } from './EventsSkeleton';

interface Props {
  /** Undefined while loading. */
  events: readonly Event[] | undefined;
  error: Error | undefined;
  onRetry: () => void;
  href: (event: Event) => string;
  /** The endpoint of the events. */
  call: Endpoint<unknown>;
  emptyText: string;
}

export function EventList({ events, error, onRetry, href, call, emptyText }: Props) {
  const { filter, matching, linkedEvent, narrow, clear } = useEventFilter(events);
  const [showData, setShowData] = useShowFullEvents();
  const subjectAddress = useSubjectHref(events);
  useScrollToEvent(linkedEvent, matching !== undefined);
  if (error && !events) return <ErrorPanel title="The history could not be loaded" error={error} onRetry={onRetry} />;
  if (events?.length === 0) {
    return (
      <Card>
        <EmptyState icon={<HistoryIcon size={20} />} title="No events">
          {emptyText}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-3">
      <EventFilterBar
        events={events ?? []}
        filter={filter}
        onChange={narrow}
        onClear={clear}
        shown={matching?.length}
        showData={showData}
        onShowData={setShowData}
      >
        {matching && matching.length > 0 && <CopyEvents events={matching} eventHref={href} call={call} />}
      </EventFilterBar>
      {events && linkedEvent !== undefined && !events.some(({ id }) => id === linkedEvent) && (
        <EventNotListed id={linkedEvent} count={events.length} />
      )}
      {!matching && <EventsSkeleton />}
      {matching?.length === 0 && <NoMatchingEvents total={events?.length ?? 0} onClear={clear} />}
      {matching && matching.length > 0 && (
        <EventTable
          events={matching}
          showData={showData}
          eventHref={href}
          subjectHref={subjectAddress}
          current={linkedEvent}
        />
      )}
    </div>
  );
}

/** Scrolls to the event that the URL names and focuses it. */
function useScrollToEvent(id: number | undefined, ready: boolean): void {
  const { key } = useLocation();
  // Scrolling needs the rendered rows. The location key repeats it for a link to the current URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with each navigation.
  useEffect(() => {
    const row = id !== undefined && ready && document.getElementById(eventRowId(id));
    if (!row) return;
    row.scrollIntoView({ block: 'nearest' });
    row.querySelector('a')?.focus({ preventScroll: true });
  }, [id, ready, key]);
}

function EventNotListed({ id, count }: { id: number; count: number }) {
  const { pathname } = useLocation();
  return (
    <div role="status" className="rounded-card border border-line bg-warn-soft p-4 text-warn">
      <p className="font-semibold">
        Event {id} is not among the newest {count} events that the server returns.
      </p>
      <p className="mt-1">
        The history of its toggle may still contain it.{' '}
        <Link to={pathname} className="font-semibold underline">
          Show the newest events
        </Link>
      </p>
    </div>
  );
}

function NoMatchingEvents({ total, onClear }: { total: number; onClear: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={<NotFoundIcon size={20} />}
        title="No event matches these filters"
        actions={<Button onClick={onClear}>Clear filters</Button>}
      >
        {total === 1 ? '1 event is hidden.' : `${total} events are hidden.`}
      </EmptyState>
    </Card>
  );
}
