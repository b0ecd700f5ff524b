// Shows the changes of one event: as text, then the server's diff.
import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { ChangeList } from '@/domain/changes/ChangeList';
import { DiffList } from '@/domain/changes/DiffList';
import { omitServerDiffs } from '@/domain/changes/serverFields';
import { describeEvent, describeEventChanges, isUpdateEvent } from './describeEvent';

/** Longer diffs and data start collapsed, so that a list of events stays readable. */
const MAX_OPEN_DIFFS = 5;
const MAX_OPEN_LINES = 24;

export function EventChange({ event, showData }: { event: Event; showData: boolean }) {
  const { data, diffs } = event;
  const fullData = <EventData data={data} />;
  if (showData) return fullData;
  const changes = describeEventChanges(event);
  const lines = JSON.stringify(data, null, 2).split('\n').length;
  return (
    <div className="grid min-w-0 gap-2">
      <p className="font-semibold">{describeEvent(event)}</p>
      {changes.length > 0 && <ChangeList changes={changes} />}
      {diffs ? (
        <Differences event={event} diffs={diffs} />
      ) : (
        <Collapsible title="Data" open={lines <= MAX_OPEN_LINES}>
          {fullData}
        </Collapsible>
      )}
    </div>
  );
}

function Differences({ event, diffs: all }: { event: Event; diffs: NonNullable<Event['diffs']> }) {
  const diffs = omitServerDiffs(all);
  if (diffs.length === 0) return isUpdateEvent(event) && <p className="text-muted">No change</p>;
  return (
    <Collapsible title="Diff" open={diffs.length <= MAX_OPEN_DIFFS}>
      <DiffList diffs={diffs} />
    </Collapsible>
  );
}

function Collapsible({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="min-w-0">
      <summary className="font-semibold text-label text-muted touch:leading-11">{title}</summary>
      <div className="mt-1.5">{children}</div>
    </details>
  );
}

function EventData({ data }: Pick<Event, 'data'>) {
  return <pre className="whitespace-pre-wrap font-mono text-label text-muted">{JSON.stringify(data, null, 2)}</pre>;
}
