import { HistoryIcon } from 'lucide-react';
import { eventsOf } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useShowData } from '@/lib/historySettings';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { EventTable } from '@/ui/EventTable';
import { Progress } from '@/ui/Progress';
import { Switch } from '@/ui/Switch';

interface Props {
  toggle: Toggle;
}

export function History({ toggle }: Props) {
  const { data, error, reload } = useRead(eventsOf(toggle.name));
  const [showData, setShowData] = useShowData();
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
        <EventTable events={data.events} showData={showData} />
      )}
    </section>
  );
}
