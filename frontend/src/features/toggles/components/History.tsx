import { HistoryIcon } from 'lucide-react';
import { featureEvents } from '@/api/endpoints';
import type { Event, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useShowData } from '@/lib/historySettings';
import { jsonDiff } from '@/lib/jsonDiff';
import { useSubject } from '@/lib/useSubject';
import { paths } from '@/paths';
import { EventTable } from '@/shared/EventTable';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { Switch } from '@/ui/Switch';
import { restored, versionIn } from '../toggleEdits';
import { RestoreDialog } from './RestoreDialog';

interface Props {
  toggle: Toggle;
  readOnly?: string | undefined;
}

export function History({ toggle, readOnly }: Props) {
  const { data, error, reload } = useRead(featureEvents(toggle.name));
  const [showData, setShowData] = useShowData();
  const { subject, open, ask, close } = useSubject<Event>();
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
          <EmptyState
            icon={<HistoryIcon size={20} strokeWidth={1.75} aria-hidden="true" />}
            title="Nothing has been recorded"
          >
            Every change of this toggle is listed here from now on: who made it, when, and what it was before.
          </EmptyState>
        </Card>
      ) : (
        <EventTable
          events={data.events}
          showData={showData}
          address={({ id }) => paths.toggleEvent(toggle.name, id)}
          action={(event) => <Restore toggle={toggle} event={event} readOnly={readOnly} onAsk={ask} />}
        />
      )}
      {subject && <RestoreDialog toggle={toggle} event={subject} open={open} onClose={close} />}
    </section>
  );
}

interface RestoreProps {
  toggle: Toggle;
  event: Event;
  readOnly: string | undefined;
  onAsk: (event: Event) => void;
}

/** Nothing for events that do not hold the whole toggle. */
function Restore({ toggle, event, readOnly, onAsk }: RestoreProps) {
  const version = versionIn(event);
  if (!version) return null;
  if (jsonDiff(toggle, restored(toggle, version)).length === 0) return <span className="text-muted">As it is now</span>;
  return (
    <Button size="small" disabledReason={readOnly} onClick={() => onAsk(event)}>
      Restore
    </Button>
  );
}
