// The type of an event: kind of item and action.
import type { Event } from '@/api/generated/types';
import { isJsonObject, type JsonObject } from '@/lib/json';
import { capitalise } from '@/lib/text';

/** Prefixes of event types. A longer prefix must come before a shorter one that it starts with. */
const SUBJECTS = {
  'feature-': 'toggle',
  'strategy-': 'strategy',
  'tag-type-': 'tag type',
  'tag-': 'tag',
  'context-field-': 'context field',
  'segment-': 'segment',
  'project-': 'project',
  'addon-config-': 'addon',
  'addon-': 'addon',
  'application-': 'application',
  'api-token-': 'API token',
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

export function parseType(type: string): ParsedType | undefined {
  const known = Object.entries(SUBJECTS).find(([start]) => type.startsWith(start));
  return known && { kind: known[1], action: type.slice(known[0].length) };
}

/** Returns an event type in words, such as `Tag type created`. */
export function describeEventType(type: string): string {
  const known = parseType(type);
  const words = type.replaceAll('-', ' ');
  if (!known) return capitalise(words);
  const { kind, action } = known;
  return capitalise(`${kind} ${STATUS_ACTIONS[action] ?? action.replaceAll('-', ' ')}`);
}

const STATUS_ACTIONS: { readonly [action: string]: string } = {
  'stale-on': 'marked as stale',
  'stale-off': 'marked as active',
};

/** Returns the action of an event of a toggle, such as `updated`; undefined for other items. */
export function getToggleAction({ type }: Event): string | undefined {
  const parsed = parseType(type);
  return parsed?.kind === 'toggle' ? parsed.action : undefined;
}

export function getEventSubject({ type, data }: Event): EventSubject | undefined {
  const kind = parseType(type)?.kind;
  return kind && { kind, name: nameOf(kind, data ?? {}) };
}

function nameOf(kind: EventSubjectKind, data: JsonObject): string {
  switch (kind) {
    case 'tag':
      return formatEventTag(data);
    case 'project':
    case 'addon':
      return textOf(data['id']);
    default:
      return textOf(data['name'] ?? data['featureName'] ?? data['appName']);
  }
}

/** Returns the displayed name of the item, also for unknown types of events. */
export function getEventName(event: Event): string {
  const { data } = event;
  const subject = getEventSubject(event);
  if (subject?.kind === 'addon') return [data?.['provider'], subject.name].filter(Boolean).map(textOf).join(' ');
  return subject?.name || textOf(data?.['name'] ?? data?.['featureName'] ?? data?.['id']);
}

/** Formats the tag in an event's data; empty if there is none. */
export function formatEventTag(data: JsonObject): string {
  const { type, value } = isJsonObject(data['tag']) ? data['tag'] : data;
  return value === undefined ? '' : `${textOf(type)}: ${textOf(value)}`;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
