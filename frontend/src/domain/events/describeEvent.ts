// Describes events of the history: action and changes.
import type { Event } from '@/api/generated/types';
import type { ChangeOptions } from '@/domain/changes/describeChanges';
import { omitServerDiffs } from '@/domain/changes/serverFields';
import { summariseToggleChanges } from '@/domain/changes/summariseChanges';
import { joinFirst } from '@/lib/text';
import { describeEventType, type EventSubjectKind, formatEventTag, parseType, textOf } from './eventType';
import { describeStrategyChange, getEventEnvironment, getStrategyChange } from './newerEvents';
import { findVersionBefore, getToggleVersion } from './toggleVersions';

/** Number of changed properties before "and n more". */
const MAX_FIELDS = 3;

/** Actions of event types that are not a verb in the past tense. `{}` is the kind of item. */
const ACTION_PHRASES: { [action: string]: string } = {
  'stale-on': 'marked the {} as stale',
  'stale-off': 'marked the {} as active',
  import: 'imported the {}',
  'environment-enabled': 'switched the {} on',
  'environment-disabled': 'switched the {} off',
  'environment-variants-updated': 'changed the variants',
  'dependency-added': 'added a dependency to the {}',
  'dependency-removed': 'removed a dependency of the {}',
  'dependencies-removed': 'removed the dependencies of the {}',
  'metadata-updated': 'changed the metadata of the {}',
};

/**
 * Describes an event as a phrase that follows the author, such as `switched the toggle off`. `events` are events of any
 * items, which may contain the previous version.
 */
export function describeEvent(event: Event, events: readonly Event[], options: ChangeOptions = {}): string {
  const environment = getEventEnvironment(event);
  return describeAction(event, events, options) + (environment === undefined ? '' : ` in ${environment}`);
}

function describeAction(event: Event, events: readonly Event[], options: ChangeOptions): string {
  const { type, data } = event;
  const strategyChange = getStrategyChange(event);
  if (strategyChange) return describeStrategyChange(strategyChange, options);
  if (type === 'strategy-order-changed') return 'reordered the strategies';
  const { kind, action } = parseType(type) ?? {};
  if (kind === undefined || action === undefined) return type.replaceAll('-', ' ');
  if (kind === 'addon' && action.startsWith('deliver')) return describeDelivery(action, data ?? {});
  if (action === 'tagged') return `added the tag ${formatEventTag(data ?? {})}`;
  if (action === 'untagged') return `removed the tag ${formatEventTag(data ?? {})}`;
  const namesFields = action === 'metadata-updated' && event.diffs && event.diffs.length > 0;
  if (action === 'updated' || namesFields) return describeUpdate(kind, event, events, options);
  return findActionPhrase(action)?.replace('{}', kind) ?? type.replaceAll('-', ' ');
}

/** Returns the phrase of an action, in which `{}` is the kind of item; undefined for unknown actions. */
export function findActionPhrase(action: string): string | undefined {
  return ACTION_PHRASES[action] ?? (/^[a-z]+ed$/u.test(action) ? `${action} the {}` : undefined);
}

export function describeDelivery(action: string, data: NonNullable<Event['data']>): string {
  const event = `the event “${describeEventType(textOf(data['eventType']))}”`;
  return action === 'delivered' ? `sent ${event} to the addon` : `could not send ${event} to the addon`;
}

function describeUpdate(
  kind: EventSubjectKind,
  event: Event,
  events: readonly Event[],
  options: ChangeOptions,
): string {
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  if (before) return summariseToggleChanges(before, after, options) ?? 'saved the toggle without changes';
  const fields = [...new Set(omitServerDiffs(event.diffs ?? []).map(({ path: [field] }) => String(field)))];
  if (fields.length === 0) return event.diffs ? `saved the ${kind} without changes` : `changed the ${kind}`;
  return `changed ${joinFirst(fields, MAX_FIELDS)} of the ${kind}`;
}
