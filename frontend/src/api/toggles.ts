// The store of toggles: lists and pages show its rows, and every response and local write updates it.
//
// Requests overlap, so that an older state can arrive after a newer one. A read is applied to a toggle only if it started
// after the newest applied read of that toggle had started and after the last local write of it had completed. A read that
// a local write outdated is repeated if it differs from the stored state.
import { useSyncExternalStore } from 'react';
import { jsonEqual } from '@/lib/json';
import { createStore, onUserReset, useStore } from '@/lib/store';
import { currentCapabilities } from './capabilities';
import { onRead } from './client';
import { feature, features } from './endpoints';
import type { FeaturesResponse, Toggle } from './generated/types';
import { refreshReads, useRead } from './useRead';
import { areStrategiesKnown, type NewerToggle } from './newerTypes';
import { noteTag, strongTagOf } from './representations';
import { nextSequence } from './sequence';

interface Entry {
  /** The row of the list; undefined if the list does not contain the toggle. */
  row: Toggle | undefined;
  /** The toggle as its own endpoint sends it. The lists of some servers lack its strategies or their order. */
  own: Toggle | undefined;
  /** Start of the newest applied read. */
  readAt: number;
  /** Completion of the last local write. */
  writtenAt: number;
}

/** By name. An entry without `row` and `own` is archived, and a list that was requested before must not bring it back. */
let entries = new Map<string, Entry>();
/** Start of the newest applied list; undefined until the first. */
let listReadAt: number | undefined;
/** The last response, for its fields apart from the toggles. */
let response: FeaturesResponse | undefined;

const list = createStore<FeaturesResponse | undefined>(undefined);
/** Changes with each change of an entry, so that components read their own one again. */
const version = createStore(0);

onRead(features, applyList);
onRead<Toggle>(/^api\/admin\/features\/[^/?]+$/, applyOwn);
onUserReset(() => {
  entries = new Map();
  listReadAt = undefined;
  response = undefined;
  publish();
});

/** All toggles; `data` changes with local writes at once. */
export function useToggleList(isNeeded = true) {
  const { error, reload } = useRead(isNeeded ? features : null);
  const data = useStore(list);
  return { data, error, reload, isLoading: isNeeded && data === undefined && error === undefined };
}

/** The toggle of the endpoint of one toggle. Sends no request if `isNeeded` is false. */
export function useOwnToggle(name: string, isNeeded: boolean) {
  const { error, reload } = useRead(isNeeded ? feature(name) : null);
  const data = useSyncExternalStore(version.subscribe, () => entries.get(name)?.own);
  return { data, error, reload };
}

/** Returns the toggle as its own endpoint has sent it; undefined until then. */
export function currentOwnToggle(name: string): Toggle | undefined {
  return entries.get(name)?.own;
}

/** Returns the toggle as the page knows it, for actions that read the state when they run. */
export function currentToggle(name: string): Toggle | undefined {
  const { row, own } = entryOf(name);
  return own ?? row;
}

/** Applies a local write: changes the fields that it wrote. */
export function patchToggle(name: string, change: Partial<Toggle>): void {
  const { row, own } = entryOf(name);
  writeLocally(name, { row: row && patched(row, change), own: own && patched(own, change) });
}

/**
 * Applies a local write that started at `startedAt` and returned the stored toggle. The toggle is read again if a read or
 * another write ended meanwhile: the order in which the server processed them is unknown.
 */
export function storeWritten(toggle: Toggle, startedAt: number): void {
  const { row, own, readAt, writtenAt } = entryOf(toggle.name);
  writeLocally(toggle.name, { row: row && withOwn(row, toggle), own: own && toggle });
  if (Math.max(readAt, writtenAt) > startedAt) refreshReads([feature(toggle.name)]);
}

/** Adds a created or revived toggle. */
export function addToggle(toggle: Toggle): void {
  writeLocally(toggle.name, { row: toggle, own: areStrategiesKnown(toggle) ? toggle : undefined });
}

/** Removes an archived toggle. */
export function removeToggle(name: string): void {
  writeLocally(name, { row: undefined, own: undefined });
}

let isBatched = false;

/** Publishes several local writes at once. */
export function batchWrites(writes: () => void): void {
  isBatched = true;
  writes();
  isBatched = false;
  publish();
}

function entryOf(name: string): Entry {
  return entries.get(name) ?? { row: undefined, own: undefined, readAt: 0, writtenAt: 0 };
}

function writeLocally(name: string, state: Pick<Entry, 'row' | 'own'>): void {
  entries.set(name, { ...entryOf(name), ...state, writtenAt: nextSequence() });
  publish();
}

/** Returns the toggle with the changed fields. The strategies stay as they are if either version lacks them. */
function patched(toggle: Toggle, change: Partial<NewerToggle>): Toggle {
  return areStrategiesKnown(toggle) && change.strategiesKnown !== false
    ? { ...toggle, ...change }
    : withStateOf(toggle, change);
}

/** Returns the row of the list for a toggle that its own endpoint has sent. */
function withOwn(row: Toggle, own: Toggle): Toggle {
  return areStrategiesKnown(row) ? own : withStateOf(row, own);
}

/** Returns the toggle with the fields of another version of it, except the strategies and variants. */
function withStateOf(toggle: Toggle, other: Partial<NewerToggle>): Toggle {
  const { strategies: _, variants: __, strategiesKnown: ___, ...fields } = other;
  return { ...toggle, ...fields };
}

function applyList(received: FeaturesResponse, startedAt: number): void {
  if (startedAt < (listReadAt ?? 0)) return;
  let isOutdated = false;
  const next = new Map<string, Entry>();
  for (const row of received.features) {
    const entry = entryOf(row.name);
    if (startedAt > entry.readAt && startedAt > entry.writtenAt) next.set(row.name, withRow(entry, row, startedAt));
    else {
      isOutdated ||= startedAt < entry.writtenAt && !(entry.row && jsonEqual(entry.row, row));
      // A toggle that was read on its own later, before it was in the list.
      const missing = entry.row === undefined && startedAt > entry.writtenAt;
      next.set(row.name, missing ? { ...entry, row: entry.own } : entry);
    }
  }
  for (const [name, entry] of entries) {
    if (next.has(name)) continue;
    if (startedAt < entry.writtenAt) {
      isOutdated ||= entry.row !== undefined;
      next.set(name, entry);
    } else if (startedAt < entry.readAt) next.set(name, { ...entry, row: undefined });
  }
  entries = next;
  listReadAt = startedAt;
  response = received;
  publish();
  if (isOutdated) refreshReads([features]);
}

/** Returns an entry with the row of a list. Unchanged rows keep their identity, so that they are not rendered again. */
function withRow(entry: Entry, received: Toggle, readAt: number): Entry {
  const row = entry.row && jsonEqual(entry.row, received) ? entry.row : received;
  const own = entry.own && (isCompleteRow(row) ? row : withStateOf(entry.own, row));
  return { ...entry, row, own: entry.own && own && jsonEqual(entry.own, own) ? entry.own : own, readAt };
}

/** Returns whether a row of a list equals the toggle that its own endpoint sends. 4.x lists strategies in no order. */
function isCompleteRow(row: Toggle): boolean {
  return areStrategiesKnown(row) && currentCapabilities().listsOrderedStrategies;
}

function applyOwn(received: Toggle, startedAt: number): void {
  const { name } = received;
  const entry = entryOf(name);
  if (startedAt < entry.readAt && startedAt > entry.writtenAt) {
    // A newer read was applied. If it was a list, its row may lack the strategies.
    if (!entry.row || (entry.own && isCompleteRow(entry.row))) return;
    if (entry.own) {
      if (!jsonEqual(entry.own, withStateOf(received, entry.row))) refreshReads([feature(name)]);
      return;
    }
    entries.set(name, { ...entry, own: isCompleteRow(entry.row) ? entry.row : withStateOf(received, entry.row) });
    publish();
    return;
  }
  if (startedAt < entry.writtenAt) {
    if (!(entry.own && jsonEqual(entry.own, received))) refreshReads([feature(name)]);
    return;
  }
  const own = entry.own && jsonEqual(entry.own, received) ? entry.own : received;
  // After a local write, the next save needs the tag of the state that the page already shows.
  noteTag(strongTagOf(received), own);
  const row = entry.row && withOwn(entry.row, own);
  entries.set(name, {
    ...entry,
    own,
    row: entry.row && row && jsonEqual(entry.row, row) ? entry.row : row,
    readAt: startedAt,
  });
  publish();
}

/** Publishes the entries, if a row has changed. */
function publish(): void {
  if (isBatched) return;
  version.set(version.get() + 1);
  if (!response) {
    list.set(undefined);
    return;
  }
  const rows = [...entries.values()].flatMap(({ row }) => row ?? []);
  const shown = list.get();
  const isSame = shown?.features.length === rows.length && rows.every((row, index) => row === shown.features[index]);
  if (!isSame) list.set({ ...response, features: rows });
}
