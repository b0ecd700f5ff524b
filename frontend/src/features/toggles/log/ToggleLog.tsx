import { useSearchParams } from 'react-router-dom';
import { featureEvents } from '@/api/endpoints';
import { useEventPages } from '@/api/useEventPages';
import { EventLog } from '@/domain/events/EventLog';
import { EventNotListed } from '@/domain/events/EventNotListed';
import { OlderEvents } from '@/domain/events/OlderEvents';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { paths } from '@/paths';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { Switch } from '@/ui/Switch';
import { changeActions, ToggleChangeActions } from './ChangeActions';

/** The log of a toggle. It scrolls to the event that the URL names. */
export function ToggleLog({ name }: { name: string }) {
  const pages = useEventPages(featureEvents(name));
  const { events, error, reload } = pages;
  const [showData, setShowData] = useShowFullEvents();
  const [params] = useSearchParams();
  const linkedEvent = params.has('event') ? Number(params.get('event')) : undefined;
  if (error && !events) return <ErrorPanel title="The log could not be loaded" error={error} onRetry={reload} />;
  if (!events) return <Progress label="Loading the log" />;
  return (
    <section aria-labelledby="history-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="history-heading" className="font-semibold">
          Change log
        </h2>
        <Switch label="Full events" showLabel checked={showData} onChange={setShowData} />
      </header>
      <EventNotListed id={linkedEvent} pages={pages} />
      {events.length === 0 ? (
        <Card>
          <EmptyState icon={<HistoryIcon size={20} />} title="No changes yet">
            Changes to this toggle are listed here, with their author, time and previous values.
          </EmptyState>
        </Card>
      ) : (
        <ToggleChangeActions key={name} name={name}>
          <EventLog
            events={events}
            allEvents={events}
            isLog
            linkedEvent={linkedEvent}
            headingLevel={3}
            hasOlder={pages.hasOlder}
            showData={showData}
            eventHref={({ id }) => paths.loggedEvent(name, id)}
            actions={changeActions}
          />
          <OlderEvents pages={pages} isLog />
        </ToggleChangeActions>
      )}
    </section>
  );
}
