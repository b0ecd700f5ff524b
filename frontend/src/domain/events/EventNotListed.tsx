import { Link, useLocation } from 'react-router-dom';
import { usePastView } from '@/api/pastView';
import type { EventPages } from '@/api/useEventPages';
import { inPast } from '@/paths';
import { LoadOlderButton } from './OlderEvents';

interface Props {
  /** Id of the event in the URL. */
  id: number | undefined;
  pages: EventPages;
  hint?: string;
}

/** Explains that the events that were read do not contain the event in the URL. */
export function EventNotListed({ id, pages, hint = '' }: Props) {
  const { events, hasOlder } = pages;
  const { pathname } = useLocation();
  const newest = inPast(pathname, usePastView());
  if (id === undefined || !events || events.some((event) => event.id === id)) return null;
  const isOlder = hasOlder && id < (events.at(-1)?.id ?? 0);
  return (
    <div role="status" className="rounded-card border border-line bg-warn-soft p-4 text-warn">
      <p className="font-semibold">
        {isOlder
          ? `This event is older than the ${events.length} events on this page.`
          : `This event is not among the newest ${events.length} events that the server returns.`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        {isOlder && (
          <LoadOlderButton pages={pages} isEnough={(older) => older.some((event) => event.id <= id)}>
            Load this event
          </LoadOlderButton>
        )}
        <p>
          {!isOlder && hint}{' '}
          <Link to={newest} className="font-semibold underline">
            Show the newest events
          </Link>
        </p>
      </div>
    </div>
  );
}
