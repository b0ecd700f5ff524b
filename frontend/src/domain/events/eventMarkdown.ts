import type { Event } from '@/api/generated/types';
import { escapeMarkdown } from '@/lib/copyFormats';
import { describeEvent, describeEventChanges } from './describeEvent';
import { getEventName } from './eventType';

type EventHref = (event: Event) => string;

/** Formats an event. `events` may contain its previous version. */
export function eventToMarkdown(event: Event, events: readonly Event[], href: EventHref): string {
  const { id, createdAt, createdBy } = event;
  const headline = `**${escapeMarkdown(createdBy)}** ${escapeMarkdown(describeEvent(event, events))}: ${escapeMarkdown(getEventName(event))}`;
  const changes = describeEventChanges(event, events).flatMap(({ subject, changes: lines }) =>
    lines.map((line) => `- ${escapeMarkdown(subject)}: ${escapeMarkdown(line)}`),
  );
  return [`${headline}, ${createdAt} ([event ${id}](${href(event)}))`, ...changes].join('\n');
}

export function eventsToMarkdown(events: readonly Event[], href: EventHref): string {
  return events.map((event) => eventToMarkdown(event, events, href)).join('\n\n');
}
