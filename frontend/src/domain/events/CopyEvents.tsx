import type { Endpoint } from '@/api/client';
import type { Event } from '@/api/generated/types';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';
import { eventsToMarkdown } from './eventMarkdown';

interface Props {
  events: readonly Event[];
  eventHref: (event: Event) => string;
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
