import type { Event } from '@/api/generated/types';
import { formatEventTag } from './eventType';

/** One action, which is one row of a history. */
export interface EventEntry {
  event: Event;
  /** The event that created the tag which `event` added to a toggle. */
  tagCreation?: Event;
}

/** Maximum time between two events of one action. */
const ONE_ACTION_MS = 2000;

/** Joins consecutive events of one action: a tag that is created by adding it to a toggle has two events. */
export function groupActions(events: readonly Event[]): EventEntry[] {
  const entries: EventEntry[] = [];
  for (const event of events) {
    const previous = entries.at(-1);
    const joined = previous && !previous.tagCreation && joinTag(previous.event, event);
    if (joined) entries[entries.length - 1] = joined;
    else entries.push({ event });
  }
  return entries;
}

function joinTag(newer: Event, older: Event): EventEntry | undefined {
  const [tagging, creation] = newer.type === 'feature-tagged' ? [newer, older] : [older, newer];
  if (tagging.type !== 'feature-tagged' || creation.type !== 'tag-created') return undefined;
  const isOneAction =
    tagging.createdBy === creation.createdBy &&
    formatEventTag(tagging.data ?? {}) === formatEventTag(creation.data ?? {}) &&
    Math.abs(Date.parse(tagging.createdAt) - Date.parse(creation.createdAt)) <= ONE_ACTION_MS;
  return isOneAction ? { event: tagging, tagCreation: creation } : undefined;
}
