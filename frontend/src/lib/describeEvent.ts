// What an event of the history says: what it is about, what happened to it, and what that changed.
import type { Event, Toggle } from '@/api/generated/types';
import { type ChangeGroup, describeFieldChanges, describeToggleChanges } from './describeChanges';
import { undoDiffs } from './undoDiffs';

/** How the types of events begin; the longer of two that begin alike comes first. */
const SUBJECTS = {
  'feature-': 'toggle',
  'strategy-': 'strategy',
  'tag-type-': 'tag type',
  'tag-': 'tag',
  'context-field-': 'context field',
  'project-': 'project',
  'addon-config-': 'addon',
  'addon-': 'addon',
  'application-': 'application',
} as const;

export type EventSubjectKind = (typeof SUBJECTS)[keyof typeof SUBJECTS];

export interface Subject {
  kind: EventSubjectKind;
  /** Empty where the event does not say. */
  name: string;
}

interface Split {
  kind: EventSubjectKind;
  deed: string;
}

function split(type: string): Split | undefined {
  const known = Object.entries(SUBJECTS).find(([start]) => type.startsWith(start));
  return known && { kind: known[1], deed: type.slice(known[0].length) };
}

type Data = NonNullable<Event['data']>;

export function getEventSubject({ type, data }: Event): Subject | undefined {
  const kind = split(type)?.kind;
  return kind && { kind, name: nameOf(kind, data ?? {}) };
}

function nameOf(kind: EventSubjectKind, data: Data): string {
  switch (kind) {
    case 'tag':
      return tagIn(data);
    case 'project':
    case 'addon':
      return textOf(data['id']);
    default:
      return textOf(data['name'] ?? data['featureName'] ?? data['appName']);
  }
}

/** What stands in the column of names, for events that nothing is known of as well. */
export function getEventName(event: Event): string {
  const { data } = event;
  const subject = getEventSubject(event);
  if (subject?.kind === 'addon') return [data?.['provider'], subject.name].filter(Boolean).map(textOf).join(' ');
  return subject?.name || textOf(data?.['name'] ?? data?.['featureName'] ?? data?.['id']);
}

function tagIn(data: Data): string {
  const { type, value } = (isObject(data['tag']) ? data['tag'] : data) as Data;
  return value === undefined ? '' : `${textOf(type)}: ${textOf(value)}`;
}

const DEEDS: { [deed: string]: string } = {
  updated: 'changed',
  'stale-on': 'marked as stale',
  'stale-off': 'marked as active',
  import: 'imported',
  tagged: 'tagged',
  untagged: 'tag removed',
};

/** One line, such as `Toggle tagged: simple: q4`. */
export function describeEvent({ type, data }: Event): string {
  const { kind, deed } = split(type) ?? {};
  if (kind === undefined || deed === undefined) return sentence(type.replaceAll('-', ' '));
  if (kind === 'addon' && deed.startsWith('deliver')) return deliveryWords(deed, data ?? {});
  const words = sentence(`${kind} ${DEEDS[deed] ?? deed.replaceAll('-', ' ')}`);
  return deed.endsWith('tagged') ? `${words}: ${tagIn(data ?? {})}` : words;
}

function deliveryWords(deed: string, data: Data): string {
  const of = `${textOf(data['eventType'])} (event ${textOf(data['eventId'])})`;
  return deed === 'delivered' ? `Addon was told of ${of}` : `Addon could not be told of ${of}`;
}

/** What an update changed; nothing for other deeds, whose headline says it all. */
export function describeEventChanges({ type, data, diffs }: Event): readonly ChangeGroup[] {
  const { kind, deed } = split(type) ?? {};
  if (kind === undefined || deed !== 'updated' || !data || !diffs) return [];
  const before = undoDiffs(data, diffs);
  if (isToggle(before) && isToggle(data)) return describeToggleChanges(before, data);
  const changes = describeFieldChanges(before as object, data);
  return changes.length > 0 ? [{ subject: sentence(kind), changes }] : [];
}

/** Whether there is something to say of an event that changed nothing. */
export function isUpdateEvent({ type }: Event): boolean {
  return split(type)?.deed === 'updated';
}

function isToggle(value: unknown): value is Toggle {
  return isObject(value) && [value['strategies'], value['variants'] ?? []].every((list) => Array.isArray(list));
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
