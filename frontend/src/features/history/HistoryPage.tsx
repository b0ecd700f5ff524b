import type { ComponentType } from 'react';
import { events } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import type { EventActionsProps } from '@/domain/events/EventRow';
import { paths } from '@/paths';
import { PageHeader } from '@/ui/PageHeader';
import { EventList } from './EventList';

/** `Actions` are the buttons of an event. */
export function HistoryPage({ Actions }: { Actions: ComponentType<EventActionsProps> }) {
  const { data, error, reload } = useRead(events);
  return (
    <>
      <PageHeader title="Event history" count={data?.events.length} />
      <EventList
        events={data?.events}
        error={error}
        onRetry={reload}
        eventHref={({ id }) => paths.event(id)}
        isLog={false}
        Actions={Actions}
        call={events}
        emptyText="Changes to toggles, strategies and other items are listed here, with user, time and old values."
      />
    </>
  );
}
