import { eventsOf } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
import { PageHeader } from '@/ui/PageHeader';
import { Events } from './components/Events';

/** Of one toggle: also of one that is gone, and further back than the history of everything reaches. */
export function ToggleHistoryPage() {
  const { name = '' } = useRouteParams();
  const { data, error, reload } = useRead(eventsOf(name));
  return (
    <>
      <PageHeader
        title={name}
        count={data?.events.length}
        breadcrumb={<Breadcrumb within={sections.history} here={name} />}
      />
      <Events
        events={data?.events}
        error={error}
        onRetry={reload}
        address={({ id }) => paths.toggleEvent(name, id)}
        call={eventsOf(name)}
        emptyText="Nothing has happened to a toggle of this name. Every change of it is listed here from then on."
      />
    </>
  );
}
