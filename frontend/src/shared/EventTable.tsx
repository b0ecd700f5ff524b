// What happened, newest first. On phones an event is a card: when and who in a line above what changed.
import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Chip } from '@/ui/Chip';
import { Column } from '@/ui/Column';
import { DiffList } from '@/ui/DiffList';
import { Time } from '@/ui/Time';
import { VisuallyHidden } from '@/ui/VisuallyHidden';

interface Props {
  events: readonly Event[];
  /** Each event's data as it was written, instead of what it changed. */
  showData: boolean;
  /** What can be done with an event. */
  action?: (event: Event) => ReactNode;
}

export function EventTable({ events, showData, action }: Props) {
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <table className="block w-full lg:table lg:table-fixed">
        <thead className="max-lg:sr-only">
          <tr className="border-line border-b">
            <Column className="w-28">Changed at</Column>
            <Column className="w-40">Changed by</Column>
            <Column className="w-40">Type</Column>
            <Column className="w-36">Name</Column>
            <Column>{showData ? 'Full event' : 'Diff'}</Column>
            {action && (
              <Column className="w-28">
                <VisuallyHidden>Actions</VisuallyHidden>
              </Column>
            )}
          </tr>
        </thead>
        <tbody className="block lg:table-row-group">
          {events.map((event) => (
            <tr key={event.id} className={ROW}>
              <Cell className="text-muted">
                <Time value={event.createdAt} />
              </Cell>
              <Cell>{event.createdBy}</Cell>
              <Cell>
                <Chip>{event.type}</Chip>
              </Cell>
              <Cell className="font-medium">{nameIn(event)}</Cell>
              <Cell className="max-lg:w-full">
                <Change event={event} showData={showData} />
              </Cell>
              {action && <Cell className="lg:text-right">{action(event)}</Cell>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ROW = cx(
  'align-top not-first:border-line not-first:border-t',
  'flex flex-wrap items-center gap-x-3 gap-y-2 p-4 lg:table-row',
);

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td className={cx('wrap-anywhere min-w-0 text-secondary lg:px-2 lg:py-3 lg:first:pl-4 lg:last:pr-4', className)}>
      {children}
    </td>
  );
}

/** What the event is about; those of tags call it otherwise. */
function nameIn({ data }: Event): string {
  const name = data?.['name'] ?? data?.['featureName'];
  return typeof name === 'string' ? name : '';
}

function Change({ event: { data, diffs }, showData }: { event: Event; showData: boolean }) {
  if (!showData && diffs) return <DiffList diffs={diffs} />;
  return <pre className="whitespace-pre-wrap font-mono text-label text-muted">{JSON.stringify(data, null, 2)}</pre>;
}
