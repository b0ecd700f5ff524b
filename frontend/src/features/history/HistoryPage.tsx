import type { ComponentType } from 'react';
import { events, featureEvents } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import type { EventActionsProps } from '@/domain/events/EventRow';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
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

/** History of one toggle, including deleted ones. It reaches further back than the history of all events. */
export function ToggleHistoryPage({ Actions }: { Actions: ComponentType<EventActionsProps> }) {
  const { name = '' } = useRouteParams();
  const { data, error, reload } = useRead(featureEvents(name));
  return (
    <>
      <PageHeader
        title={name}
        count={data?.events.length}
        breadcrumb={<Breadcrumb within={sections.history} here={name} />}
        hidesBreadcrumbOnPhones
      />
      <EventList
        events={data?.events}
        error={error}
        onRetry={reload}
        eventHref={({ id }) => paths.toggleEvent(name, id)}
        isLog={true}
        Actions={Actions}
        call={featureEvents(name)}
        emptyText="Changes to a toggle of this name are listed here."
      />
    </>
  );
}
