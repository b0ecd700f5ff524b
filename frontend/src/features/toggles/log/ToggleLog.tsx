import { useSearchParams } from 'react-router-dom';
import { featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useEventPages } from '@/api/useEventPages';
import { EventLog } from '@/domain/events/EventLog';
import { EventNotListed } from '@/domain/events/EventNotListed';
import { OlderEvents } from '@/domain/events/OlderEvents';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { type PastView, paths } from '@/paths';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { Switch } from '@/ui/Switch';
import { changeActions, ToggleChangeActions } from './ChangeActions';

interface Props {
  name: string;
  /** The earlier time that the page shows, with the events until then. */
  view?: PastView;
}

/** The log of a toggle. It scrolls to the event that the URL names. */
export function ToggleLog({ name, view }: Props) {
  const pages = useEventPages(featureEvents(name));
  const { error, reload } = pages;
  const isShown = ({ createdAt }: Event) => !view || Date.parse(createdAt) <= Date.parse(view.at);
  const events = view ? pages.events?.filter(isShown) : pages.events;
  const [showData, setShowData] = useShowFullEvents();
  const [params] = useSearchParams();
  const linkedEvent = params.has('event') ? Number(params.get('event')) : undefined;
  if (error && !events) return <ErrorPanel title="The log could not be loaded" error={error} onRetry={reload} />;
  if (!events) return <Progress label="Loading the log" />;
  const log = (
    <EventLog
      events={events}
      allEvents={events}
      isLog
      linkedEvent={linkedEvent}
      headingLevel={3}
      hasOlder={pages.hasOlder}
      showData={showData}
      eventHref={({ id }) => paths.loggedEvent(name, id, view)}
      {...(!view && { actions: changeActions })}
    />
  );
  return (
    <section aria-labelledby="history-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="history-heading" className="font-semibold">
          Change log
        </h2>
        <Switch label="Full events" showLabel checked={showData} onChange={setShowData} />
      </header>
      {view && (
        <p className="text-muted text-secondary">
          Changes made until this time. SDKs get a change later than it is made.
        </p>
      )}
      <EventNotListed id={linkedEvent} pages={pages} />
      {events.length > 0 && view && log}
      {events.length > 0 && !view && (
        <ToggleChangeActions key={name} name={name}>
          {log}
        </ToggleChangeActions>
      )}
      {events.length === 0 && (
        <Card>
          {view ? (
            <EmptyState icon={<HistoryIcon size={20} />} title="No changes until this time">
              {pages.hasOlder ? 'All changes that were read so far are later.' : 'All changes are later.'}
            </EmptyState>
          ) : (
            <EmptyState icon={<HistoryIcon size={20} />} title="No changes yet">
              Changes to this toggle are listed here, with their author, time and previous values.
            </EmptyState>
          )}
        </Card>
      )}
      {(events.length > 0 || view) && (
        <OlderEvents
          pages={pages}
          isLog
          shown={events.length}
          {...(view && { isEnough: (read) => read.some(isShown) })}
        />
      )}
    </section>
  );
}
