import type { Event } from '@/api/generated/types';
import { escapeMarkdown } from '@/lib/copyFormats';
import { describeEvent, describeEventChanges, getEventName } from './describeEvent';

export function eventToMarkdown(event: Event, href: string): string {
  const { id, createdAt, createdBy } = event;
  const headline = `**${escapeMarkdown(describeEvent(event))}**: ${escapeMarkdown(getEventName(event))}`;
  const changes = describeEventChanges(event).flatMap(({ subject, changes: lines }) =>
    lines.map((line) => `- ${escapeMarkdown(subject)}: ${escapeMarkdown(line)}`),
  );
  return [`${headline}, by ${escapeMarkdown(createdBy)} at ${createdAt} ([event ${id}](${href}))`, ...changes].join(
    '\n',
  );
}

export function eventsToMarkdown(events: readonly Event[], href: (event: Event) => string): string {
  return events.map((event) => eventToMarkdown(event, href(event))).join('\n\n');
}
