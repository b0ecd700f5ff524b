import { events, featureEvents } from '@/api/endpoints';
import { useEventPages } from '@/api/useEventPages';
import type { EventActions } from '@/domain/events/EventRow';
import { HistoryViews } from '@/domain/events/HistoryViews';
import { EventCount } from '@/domain/events/OlderEvents';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
import { PageHeader } from '@/ui/PageHeader';
import { EventList } from './EventList';

/** `actions` are the buttons of an event. */
export function HistoryPage({ actions }: { actions: EventActions }) {
  const pages = useEventPages(events);
  return (
    <>
      <PageHeader title="Event history" mark={<EventCount pages={pages} />} />
      <HistoryViews />
      <EventList
        pages={pages}
        eventHref={({ id }) => paths.event(id)}
        isLog={false}
        actions={actions}
        emptyText="Changes to toggles, strategies and other items are listed here, with user, time and old values."
      />
    </>
  );
}

/** History of one toggle, including deleted ones. It reaches further back than the history of all events. */
export function ToggleHistoryPage({ actions }: { actions: EventActions }) {
  const { name = '' } = useRouteParams();
  const pages = useEventPages(featureEvents(name));
  return (
    <>
      <PageHeader
        title={name}
        mark={<EventCount pages={pages} />}
        breadcrumb={<Breadcrumb within={sections.history} />}
        hidesBreadcrumbOnPhones
      />
      <EventList
        pages={pages}
        eventHref={({ id }) => paths.toggleEvent(name, id)}
        isLog={true}
        actions={actions}
        emptyText="Changes to a toggle of this name are listed here."
      />
    </>
  );
}
