import { events as allEvents, featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { copyActions, toAbsoluteUrl } from '@/shared/CopyMenu';
import { MoreIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { MenuAction } from '@/ui/MenuItems';
import type { EventActionsProps } from './EventRow';
import { eventToMarkdown } from './eventMarkdown';
import { getEventSubject } from './eventType';

interface Props extends Omit<EventActionsProps, 'isLog'> {
  /** Actions before those that copy the event. */
  items?: readonly MenuAction[];
}

/** Menu of one event. Servers cannot return a single event, so the copied call reads the shortest list that contains it. */
export function EventMenu({ event, allEvents: events, eventHref, items = [] }: Props) {
  const subject = getEventSubject(event);
  const copies = copyActions({
    json: () => event,
    calls: [{ label: 'curl', call: subject?.kind === 'toggle' ? featureEvents(subject.name) : allEvents }],
    markdown: () => eventToMarkdown(event, events, (one: Event) => toAbsoluteUrl(eventHref(one))),
  });
  return (
    <Menu
      label={`Actions for event ${event.id}`}
      trigger={{ icon: <MoreIcon /> }}
      items={[...items, ...(items.length > 0 ? [{ separator: true as const }] : []), ...copies]}
    />
  );
}
