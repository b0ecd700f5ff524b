import { events } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { paths } from '@/paths';
import { PageHeader } from '@/ui/PageHeader';
import { EventList } from './components/EventList';

export function HistoryPage() {
  const { data, error, reload } = useRead(events);
  return (
    <>
      <PageHeader title="Event history" count={data?.events.length} />
      <EventList
        events={data?.events}
        error={error}
        onRetry={reload}
        href={({ id }) => paths.event(id)}
        call={events}
        emptyText="Changes to toggles, strategies and other items are listed here, with user, time and old values."
      />
    </>
  );
}
