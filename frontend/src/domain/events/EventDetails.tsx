// The changes of one event, or with "Full events" its stored data.
import type { Event } from '@/api/generated/types';
import { DiffGroups } from '@/domain/changes/DiffGroups';
import { useLocale } from '@/lib/locale';
import { findEventDiffs } from './eventDiffs';

interface Props {
  event: Event;
  /** Events that may contain the previous version. */
  events: readonly Event[];
  showData: boolean;
}

export function EventDetails({ event, events, showData }: Props) {
  const locale = useLocale();
  if (showData) {
    return (
      <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-label text-muted">
        {JSON.stringify(event.data, null, 2)}
      </pre>
    );
  }
  const groups = findEventDiffs(event, events, locale);
  if (groups.length === 0) return <p className="text-muted text-secondary">No changed settings</p>;
  return <DiffGroups groups={groups} />;
}
