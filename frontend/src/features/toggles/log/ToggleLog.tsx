import { featureEvents } from '@/api/endpoints';
import type { Event, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { EventTable } from '@/domain/events/EventTable';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { usePrompt } from '@/lib/prompt';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { Switch } from '@/ui/Switch';
import { getToggleVersion, restoreVersion } from '../saving/toggleEdits';
import { RestoreDialog } from './RestoreDialog';

interface Props {
  toggle: Toggle;
  readOnlyReason?: string | undefined;
}

export function ToggleLog({ toggle, readOnlyReason }: Props) {
  const { data, error, reload } = useRead(featureEvents(toggle.name));
  const [showData, setShowData] = useShowFullEvents();
  const [restoring, restoreState] = usePrompt<Event>();
  if (error && !data) return <ErrorPanel title="The log could not be loaded" error={error} onRetry={reload} />;
  if (!data) return <Progress label="Loading the log" />;
  return (
    <section aria-labelledby="history-heading">
      <header className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="history-heading" className="font-semibold">
          Change log
        </h2>
        <Switch label="Full events" showLabel checked={showData} onChange={setShowData} />
      </header>
      {data.events.length === 0 ? (
        <Card>
          <EmptyState icon={<HistoryIcon size={20} />} title="No changes yet">
            Changes to this toggle are listed here, with their author, time and previous values.
          </EmptyState>
        </Card>
      ) : (
        <EventTable
          events={data.events}
          showData={showData}
          eventHref={({ id }) => paths.toggleEvent(toggle.name, id)}
          action={(event) => (
            <Restore toggle={toggle} event={event} readOnlyReason={readOnlyReason} onAsk={restoring.ask} />
          )}
        />
      )}
      {restoreState && <RestoreDialog toggle={toggle} event={restoreState.question} prompt={restoring} />}
    </section>
  );
}

interface RestoreProps {
  toggle: Toggle;
  event: Event;
  readOnlyReason: string | undefined;
  onAsk: (event: Event) => void;
}

/** Button that restores the version of an event; empty for events without the whole toggle. */
function Restore({ toggle, event, readOnlyReason, onAsk }: RestoreProps) {
  const version = getToggleVersion(event);
  if (!version) return null;
  if (jsonDiff(toggle, restoreVersion(toggle, version)).length === 0)
    return <span className="text-muted">Current</span>;
  return (
    <Button size="small" disabledReason={readOnlyReason} onClick={() => onAsk(event)}>
      Restore
    </Button>
  );
}
