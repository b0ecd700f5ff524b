// Filtered list of events for both history pages.
import type { Endpoint } from '@/api/client';
import type { Event } from '@/api/generated/types';
import { CopyEvents } from '@/domain/events/CopyEvents';
import { EventLog } from '@/domain/events/EventLog';
import { EventNotListed } from '@/domain/events/EventNotListed';
import type { EventRowOptions } from '@/domain/events/EventRow';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon, NotFoundIcon } from '@/ui/icons';
import { useEventFilter } from '../useEventFilter';
import { useSubjectHref } from '../useSubjectHref';
import { EventFilterBar } from './EventFilterBar';
import { EventsSkeleton } from './EventsSkeleton';

interface Props extends Pick<EventRowOptions, 'eventHref' | 'isLog' | 'Actions'> {
  /** Undefined while loading. */
  events: readonly Event[] | undefined;
  error: Error | undefined;
  onRetry: () => void;
  /** The endpoint of the events. */
  call: Endpoint<unknown>;
  emptyText: string;
}

export function EventList({ events, error, onRetry, call, emptyText, ...source }: Props) {
  const { filter, matching, linkedEvent, narrow, clear } = useEventFilter(events);
  const [showData, setShowData] = useShowFullEvents();
  const subjectHref = useSubjectHref(events);
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
    <div className="grid gap-4 max-sm:gap-1.5">
      <EventFilterBar
        events={events ?? []}
        filter={filter}
        onChange={narrow}
        onClear={clear}
        shown={matching?.length}
        showData={showData}
        onShowData={setShowData}
      >
        {matching && matching.length > 0 && <CopyEvents events={matching} eventHref={source.eventHref} call={call} />}
      </EventFilterBar>
      <EventNotListed id={linkedEvent} events={events} hint="The history of its toggle may still contain it." />
      {!matching && <EventsSkeleton />}
      {matching?.length === 0 && <NoMatchingEvents total={events?.length ?? 0} onClear={clear} />}
      {events && matching && matching.length > 0 && (
        <EventLog
          events={matching}
          allEvents={events}
          linkedEvent={linkedEvent}
          headingLevel={2}
          showData={showData}
          subjectHref={subjectHref}
          {...source}
        />
      )}
    </div>
  );
}

function NoMatchingEvents({ total, onClear }: { total: number; onClear: () => void }) {
  const locale = useLocale();
  return (
    <Card>
      <EmptyState
        icon={<NotFoundIcon size={20} />}
        title="No event matches these filters"
        actions={<Button onClick={onClear}>Clear filters</Button>}
      >
        {total === 1 ? '1 event is hidden.' : `${formatNumber(total, locale)} events are hidden.`}
      </EmptyState>
    </Card>
  );
}
