import type { Endpoint } from '@/api/client';
import { events as allEvents, eventsOf } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { eventsToMarkdown, eventToMarkdown } from '@/lib/copyFormats';
import { getEventSubject } from '@/lib/describeEvent';
import { CopyMenu, toAbsoluteUrl } from './CopyMenu';

type Address = (event: Event) => string;

interface Props {
  events: readonly Event[];
  address: Address;
  call: Endpoint<unknown>;
}

export function CopyEvents({ events, address, call }: Props) {
  return (
    <CopyMenu
      what="the events"
      json={() => events}
      calls={[{ label: 'toCurl', call }]}
      markdown={() => eventsToMarkdown(events, (event) => toAbsoluteUrl(address(event)))}
    />
  );
}

/** No server gives a single event: the call reads the shortest list that holds it. */
export function CopyEvent({ event, address }: { event: Event; address: Address }) {
  const subject = getEventSubject(event);
  return (
    <CopyMenu
      what={`event ${event.id}`}
      json={() => event}
      calls={[{ label: 'toCurl', call: subject?.kind === 'toggle' ? eventsOf(subject.name) : allEvents }]}
      markdown={() => eventToMarkdown(event, toAbsoluteUrl(address(event)))}
    />
  );
}
