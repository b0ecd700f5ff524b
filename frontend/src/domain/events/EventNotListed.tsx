import { Link, useLocation } from 'react-router-dom';
import type { Event } from '@/api/generated/types';

interface Props {
  /** Id of the event in the URL. */
  id: number | undefined;
  /** Undefined while loading. */
  events: readonly Event[] | undefined;
  hint?: string;
}

/** Explains that the server no longer returns the event in the URL. */
export function EventNotListed({ id, events, hint = '' }: Props) {
  const { pathname } = useLocation();
  if (id === undefined || !events || events.some((event) => event.id === id)) return null;
  return (
    <div role="status" className="rounded-card border border-line bg-warn-soft p-4 text-warn">
      <p className="font-semibold">
        Event {id} is not among the newest {events.length} events that the server returns.
      </p>
      <p className="mt-1">
        {hint}{' '}
        <Link to={pathname} className="font-semibold underline">
          Show the newest events
        </Link>
      </p>
    </div>
  );
}
