import type { Endpoint } from '@/api/client';
import { events as allEvents, featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';
import { getEventSubject } from './describeEvent';
import { eventsToMarkdown, eventToMarkdown } from './eventMarkdown';

type EventHref = (event: Event) => string;

interface Props {
  events: readonly Event[];
  eventHref: EventHref;
  call: Endpoint<unknown>;
}

export function CopyEvents({ events, eventHref, call }: Props) {
  return (
    <CopyMenu
      subject="the events"
      json={() => events}
      calls={[{ label: 'curl', call }]}
      markdown={() => eventsToMarkdown(events, (event) => toAbsoluteUrl(eventHref(event)))}
    />
  );
}

/** Copies one event. Servers cannot return a single event, so the call reads the shortest list that contains it. */
export function CopyEvent({ event, eventHref }: { event: Event; eventHref: EventHref }) {
  const subject = getEventSubject(event);
  return (
    <CopyMenu
      subject={`event ${event.id}`}
      json={() => event}
      calls={[{ label: 'curl', call: subject?.kind === 'toggle' ? featureEvents(subject.name) : allEvents }]}
      markdown={() => eventToMarkdown(event, toAbsoluteUrl(eventHref(event)))}
    />
  );
}
