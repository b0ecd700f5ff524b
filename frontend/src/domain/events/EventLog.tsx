// List of events, newest first and grouped by day.
import { useId } from 'react';
import type { Event } from '@/api/generated/types';
import { Day } from '@/ui/DayTime';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { EventRow, type EventRowOptions, useScrollToEvent } from './EventRow';

interface Props extends EventRowOptions {
  /** The events to show. */
  events: readonly Event[];
  /** Id of the event in the URL. It is expanded. */
  linkedEvent?: number | undefined;
  /** Level of the headings of the days. */
  headingLevel: 2 | 3;
}

export function EventLog({ events, linkedEvent, headingLevel, ...options }: Props) {
  const { rendered, placeholder } = useIncrementalRows(
    events,
    linkedEvent === undefined ? 0 : events.findIndex(({ id }) => id === linkedEvent) + 1,
  );
  useScrollToEvent(linkedEvent);
  return (
    <div>
      <div className="grid gap-5">
        {groupByDay(rendered).map(({ key, events: ofDay }) => (
          <EventDay key={key} events={ofDay} linkedEvent={linkedEvent} headingLevel={headingLevel} {...options} />
        ))}
      </div>
      {placeholder}
    </div>
  );
}

function EventDay({ events, linkedEvent, headingLevel, ...options }: Props) {
  const id = useId();
  const Heading = `h${headingLevel}` as const;
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Heading id={id} className="mb-2 font-semibold text-muted text-secondary max-sm:mb-1">
        <Day value={events[0]?.createdAt ?? ''} />
      </Heading>
      <ol className="rounded-card border border-line bg-surface shadow-card">
        {events.map((event) => (
          <EventRow key={event.id} event={event} isLinked={event.id === linkedEvent} {...options} />
        ))}
      </ol>
    </section>
  );
}

interface DayOfEvents {
  /** Stays the same when newer or older events are added. */
  key: string;
  events: Event[];
}

/** Groups consecutive events of the same day in the time zone of the browser. */
export function groupByDay(events: readonly Event[]): DayOfEvents[] {
  const days: (DayOfEvents & { date: string })[] = [];
  for (const event of events) {
    const date = new Date(event.createdAt).toDateString();
    const last = days.at(-1);
    if (last?.date === date) last.events.push(event);
    // Times may be out of order, so a date can appear again.
    else days.push({ date, key: `${date} ${days.filter((day) => day.date === date).length}`, events: [event] });
  }
  return days;
}
