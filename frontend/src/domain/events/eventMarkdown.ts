import type { Event } from '@/api/generated/types';
import type { ChangeOptions } from '@/domain/changes/describeChanges';
import { escapeMarkdown } from '@/lib/copyFormats';
import { describeEvent, describeEventChanges } from './describeEvent';
import { getEventName } from './eventType';

type EventHref = (event: Event) => string;

/** Formats an event. `events` may contain its previous version. */
export function eventToMarkdown(
  event: Event,
  events: readonly Event[],
  href: EventHref,
  options: ChangeOptions = {},
): string {
  const { id, createdAt, createdBy } = event;
  const headline = `**${escapeMarkdown(createdBy)}** ${escapeMarkdown(describeEvent(event, events, options))}: ${escapeMarkdown(getEventName(event))}`;
  const changes = describeEventChanges(event, events, options).flatMap(({ subject, changes: lines }) =>
    lines.map((line) => `- ${escapeMarkdown(subject)}: ${escapeMarkdown(line)}`),
  );
  return [`${headline}, ${createdAt} ([event ${id}](${href(event)}))`, ...changes].join('\n');
}

export function eventsToMarkdown(events: readonly Event[], href: EventHref, options: ChangeOptions = {}): string {
  return events.map((event) => eventToMarkdown(event, events, href, options)).join('\n\n');
}
