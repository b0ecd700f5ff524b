// Describes events of the history: subject, action and changes.
import type { Event, Toggle } from '@/api/generated/types';
import { type ChangeGroup, describeFieldChanges, describeToggleChanges } from '@/domain/changes/describeChanges';
import { undoDiffs } from './undoDiffs';

/** Prefixes of event types. A longer prefix must come before a shorter one that it starts with. */
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

export interface EventSubject {
  kind: EventSubjectKind;
  /** Empty if the event does not contain it. */
  name: string;
}

interface ParsedType {
  kind: EventSubjectKind;
  action: string;
}

function parseType(type: string): ParsedType | undefined {
  const known = Object.entries(SUBJECTS).find(([start]) => type.startsWith(start));
  return known && { kind: known[1], action: type.slice(known[0].length) };
}

type Data = NonNullable<Event['data']>;

export function getEventSubject({ type, data }: Event): EventSubject | undefined {
  const kind = parseType(type)?.kind;
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

/** Returns the text of the name column, also for unknown types of events. */
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

const ACTION_LABELS: { [action: string]: string } = {
  updated: 'changed',
  'stale-on': 'marked as stale',
  'stale-off': 'marked as active',
  import: 'imported',
  tagged: 'tagged',
  untagged: 'tag removed',
};

/** Describes an event in one line, such as `Toggle tagged: simple: q4`. */
export function describeEvent({ type, data }: Event): string {
  const { kind, action } = parseType(type) ?? {};
  if (kind === undefined || action === undefined) return sentence(type.replaceAll('-', ' '));
  if (kind === 'addon' && action.startsWith('deliver')) return describeDelivery(action, data ?? {});
  const words = sentence(`${kind} ${ACTION_LABELS[action] ?? action.replaceAll('-', ' ')}`);
  return action.endsWith('tagged') ? `${words}: ${tagIn(data ?? {})}` : words;
}

function describeDelivery(action: string, data: Data): string {
  const event = `${textOf(data['eventType'])} (event ${textOf(data['eventId'])})`;
  return action === 'delivered' ? `Sent to addon: ${event}` : `Could not be sent to addon: ${event}`;
}

/** Describes the changes of an update. Other actions have none: `describeEvent` is sufficient. */
export function describeEventChanges({ type, data, diffs }: Event): readonly ChangeGroup[] {
  const { kind, action } = parseType(type) ?? {};
  if (kind === undefined || action !== 'updated' || !data || !diffs) return [];
  const before = undoDiffs(data, diffs);
  if (isToggle(before) && isToggle(data)) return describeToggleChanges(before, data);
  const changes = describeFieldChanges(before as object, data);
  return changes.length > 0 ? [{ subject: sentence(kind), changes }] : [];
}

/** Returns whether the event is an update, which may have changed nothing. */
export function isUpdateEvent({ type }: Event): boolean {
  return parseType(type)?.action === 'updated';
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
