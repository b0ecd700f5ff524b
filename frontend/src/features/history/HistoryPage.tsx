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
        address={({ id }) => paths.event(id)}
        call={events}
        emptyText="Every change of a toggle, a strategy or anything else is listed here: who made it, when, and what it was before."
      />
    </>
  );
}
