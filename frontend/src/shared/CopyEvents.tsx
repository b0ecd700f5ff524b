import type { Endpoint } from '@/api/client';
import { events as allEvents, featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { eventMarkdown, eventsMarkdown } from '@/lib/copyAs';
import { subjectOf } from '@/lib/eventWords';
import { CopyMenu, fullAddress } from './CopyMenu';

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
      calls={[{ label: 'curl', call }]}
      markdown={() => eventsMarkdown(events, (event) => fullAddress(address(event)))}
    />
  );
}

/** No server gives a single event: the call reads the shortest list that holds it. */
export function CopyEvent({ event, address }: { event: Event; address: Address }) {
  const subject = subjectOf(event);
  return (
    <CopyMenu
      what={`event ${event.id}`}
      json={() => event}
      calls={[{ label: 'curl', call: subject?.kind === 'toggle' ? featureEvents(subject.name) : allEvents }]}
      markdown={() => eventMarkdown(event, fullAddress(address(event)))}
    />
  );
}
