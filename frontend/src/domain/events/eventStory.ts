// Relations between events: two events of one action, changes that a later event reverted or replaced, and how long a
// toggle was off.
import type { Event } from '@/api/generated/types';
import { toSides } from '@/domain/changes/diffSides';
import { omitServerDiffs } from '@/domain/changes/serverFields';
import { isUnsetOrEmpty } from '@/lib/json';
import { formatEventTag, getEventName, parseType } from './eventType';
import { getEventEnvironment } from './newerEvents';
import { getPartialChange } from './toggleVersions';

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

/** Number of events of an item that are compared with an event, so that a row costs the same in a history of any length. */
const MAX_DISTANCE = 50;

export interface EventStory {
  /** Returns the later event that restored the values before this event. */
  findReverter(event: Event): Event | undefined;
  /** Returns the earlier event whose change this event reverted. Switching a toggle on and off is no revert. */
  findReverted(event: Event): Event | undefined;
  /** Returns whether later events set all values again that this event set. */
  isSuperseded(event: Event): boolean;
  /** Returns the time at which the toggle that this event switches on was switched off. */
  findSwitchedOff(event: Event): string | undefined;
}

/** Finds the relations between events, which are sorted from new to old. */
export function createEventStory(events: readonly Event[]): EventStory {
  const byItem = new Map<string, Event[]>();
  const position = new Map<Event, number>();
  for (const event of events) {
    const key = itemKey(event);
    const ofItem = byItem.get(key) ?? [];
    byItem.set(key, ofItem);
    position.set(event, ofItem.push(event) - 1);
  }
  const neighbours = (event: Event): { newer: readonly Event[]; older: readonly Event[] } => {
    const all = byItem.get(itemKey(event)) ?? [];
    const at = position.get(event) ?? 0;
    return {
      newer: all.slice(Math.max(0, at - MAX_DISTANCE), at).reverse(),
      older: all.slice(at + 1, at + 1 + MAX_DISTANCE),
    };
  };
  return {
    findReverter: (event) => findInverse(event, neighbours(event).newer),
    findReverted: (event) => findInverse(event, neighbours(event).older),
    isSuperseded(event) {
      const later = neighbours(event).newer.flatMap(changesOf);
      const changes = changesOf(event);
      return changes.length > 0 && changes.every((change) => later.some(({ path }) => isPrefix(path, change.path)));
    },
    findSwitchedOff(event) {
      if (getSwitch(event) !== true) return undefined;
      const previous = neighbours(event).older.find((older) => getSwitch(older) !== undefined);
      return previous && getSwitch(previous) === false ? previous.createdAt : undefined;
    },
  };
}

const knownKeys = new WeakMap<Event, string>();

/** Identifies the item of an event, such as a toggle in an environment, or one strategy of newer servers. */
function itemKey(event: Event): string {
  const known = knownKeys.get(event);
  if (known !== undefined) return known;
  const { type, data } = event;
  const strategy = type.startsWith('feature-strategy-') ? data?.['id'] : undefined;
  const key = [parseType(type)?.kind ?? type, getEventName(event), getEventEnvironment(event), strategy].join('\n');
  knownKeys.set(event, key);
  return key;
}

interface ValueChange {
  path: readonly (string | number)[];
  before: unknown;
  after: unknown;
}

const knownChanges = new WeakMap<Event, readonly ValueChange[]>();

/** Returns the values that an event changed; empty if they are unknown. */
function changesOf(event: Event): readonly ValueChange[] {
  const known = knownChanges.get(event);
  if (known) return known;
  const changes = findChanges(event);
  knownChanges.set(event, changes);
  return changes;
}

function findChanges(event: Event): readonly ValueChange[] {
  const { type, data, diffs } = event;
  const { action } = parseType(type) ?? {};
  if (action === 'tagged' || action === 'untagged') {
    const path = ['tags', formatEventTag(data ?? {})];
    return [{ path, before: action === 'untagged', after: action === 'tagged' }];
  }
  if (action === 'archived' || action === 'revived') {
    return [{ path: ['archived'], before: action === 'revived', after: action === 'archived' }];
  }
  if (!diffs) {
    const flags = Object.entries(getPartialChange(event) ?? {});
    return flags.map(([flag, after]) => ({ path: [flag], before: !after, after }));
  }
  const changes = omitServerDiffs(diffs).map((diff) => {
    const { path, before, after } = toSides(diff);
    return { path, before: before?.value, after: after?.value };
  });
  // Servers compare with the previous event, which may contain only the name: all fields then seem to be new.
  return changes.some(({ path, before }) => path.length === 1 && path[0] === 'strategies' && before === undefined)
    ? []
    : // Servers store a missing list as null or as an empty list.
      changes.filter(({ before, after }) => !(isUnsetOrEmpty(before) && isUnsetOrEmpty(after)));
}

function isPrefix(start: ValueChange['path'], path: ValueChange['path']): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index]);
}

/** Returns the nearest event that made the opposite change. */
function findInverse(event: Event, nearestFirst: readonly Event[]): Event | undefined {
  const changes = changesOf(event);
  if (changes.length === 0 || changes.every(({ path }) => isFlag(path))) return undefined;
  const inverse = signature(changes.map(({ path, before, after }) => ({ path, before: after, after: before })));
  return nearestFirst.find((other) => {
    const others = changesOf(other);
    return others.length === changes.length && signature(others) === inverse;
  });
}

/** Flags have verbs of their own: a toggle is switched on, marked as active, or revived. */
function isFlag([field, ...rest]: ValueChange['path']): boolean {
  return rest.length === 0 && (field === 'enabled' || field === 'stale' || field === 'archived');
}

function signature(changes: readonly ValueChange[]): string {
  return changes
    .map(({ path, before, after }) => JSON.stringify([path, before ?? null, after ?? null]))
    .sort()
    .join('\n');
}

/** Returns the state to which an event switches its toggle; undefined for other events. */
function getSwitch(event: Event): boolean | undefined {
  const change = changesOf(event).find(({ path }) => path.length === 1 && path[0] === 'enabled');
  return typeof change?.after === 'boolean' ? change.after : undefined;
}
