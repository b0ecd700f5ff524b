import { featureEvents } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
import { PageHeader } from '@/ui/PageHeader';
import { EventList } from './components/EventList';

/** History of one toggle, including deleted ones. It reaches further back than the history of all events. */
export function ToggleHistoryPage() {
  const { name = '' } = useRouteParams();
  const { data, error, reload } = useRead(featureEvents(name));
  return (
    <>
      <PageHeader
        title={name}
        count={data?.events.length}
        breadcrumb={<Breadcrumb within={sections.history} here={name} />}
      />
      <EventList
        events={data?.events}
        error={error}
        onRetry={reload}
        href={({ id }) => paths.toggleEvent(name, id)}
        call={featureEvents(name)}
        emptyText="Changes to a toggle of this name are listed here."
      />
    </>
  );
}
