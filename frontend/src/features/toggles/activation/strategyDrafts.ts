// Edits of a toggle's strategies: the stored versions, the drafts, and the versions to save.
import type { Constraint, Strategy } from '@/api/generated/types';
import { isStoredVersionOf, matchStrategies } from '@/domain/strategies/matchStrategies';
import { jsonEqual } from '@/lib/json';
import type { FocusRequest } from '@/lib/requestedFocus';

export interface EditedStrategy {
  /** Unique, because a toggle may have the same strategy twice. */
  readonly key: number;
  /** Index in the stored strategies; undefined if the strategy is new or was removed on the server. */
  readonly at: number | undefined;
  /** Stored version when editing began; undefined for a new strategy. */
  readonly base: Strategy | undefined;
  /** The edited version. It may be another strategy, which replaces the stored one. */
  readonly now: Strategy;
  /** Saving removes the stored strategy. */
  readonly removed?: true;
  /** What the running save stores. Until it ends, further edits change only the draft. */
  readonly submitted?: Submission;
  /** Increases when the draft becomes another stored version: its edits were saved or discarded, or another user's came. */
  readonly version: number;
}

interface Submission {
  /** The draft when the save started. */
  readonly now: Strategy;
  /** The strategy in the request; undefined if the save removes it. */
  readonly sent: Strategy | undefined;
}

export interface StrategyDrafts {
  readonly stored: readonly Strategy[];
  readonly drafts: readonly EditedStrategy[];
  readonly nextKey: number;
  /** Part of a strategy that gets the focus as soon as it is rendered. */
  readonly focus?: StrategyFocus;
}

export interface StrategyFocus extends FocusRequest {
  /** Key of the draft. */
  readonly key: number;
  readonly part: StrategyPart;
}

/** A part of a strategy that can have the focus. `fields` are all fields; constraints are numbered from 1. */
export type StrategyPart =
  | 'edit'
  | 'fields'
  | 'segments'
  | 'addConstraint'
  | `parameter ${string}`
  | `constraint ${number}`;

export function createDrafts(stored: readonly Strategy[]): StrategyDrafts {
  const drafts = stored.map(
    (strategy, at): EditedStrategy => ({ key: at, at, base: strategy, now: strategy, version: 0 }),
  );
  return { stored, drafts, nextKey: stored.length };
}

export function isDirty({ base, now, removed }: EditedStrategy): boolean {
  return removed === true || base === undefined || !jsonEqual(base, now);
}

/** Rebases the drafts on the stored strategies. Edited drafts keep their content and base version. */
export function rebase(state: StrategyDrafts, stored: readonly Strategy[]): StrategyDrafts {
  if (stored === state.stored || jsonEqual(stored, state.stored)) return state;
  const origins = matchStrategies(state.stored, stored);
  // A draft that replaces its stored strategy by another one may also have been stored.
  const added = state.drafts.filter(
    ({ at, base }) => base === undefined || (at !== undefined && !origins.includes(at)),
  );
  let { nextKey } = state;
  const kept = stored.map((strategy, at): EditedStrategy => {
    const known =
      origins[at] === undefined
        ? takeMatchingDraft(added, strategy)
        : state.drafts.find((one) => one.at !== undefined && one.at === origins[at]);
    if (known) return follow(known, at, strategy);
    nextKey += 1;
    return { key: nextKey - 1, at, base: strategy, now: strategy, version: 0 };
  });
  const keys = new Set(kept.map(({ key }) => key));
  const isLeft = (draft: EditedStrategy) => draft.submitted !== undefined || (isDirty(draft) && !draft.removed);
  const left = state.drafts.filter((draft) => isLeft(draft) && !keys.has(draft.key));
  return { ...state, stored, drafts: [...kept, ...left.map((draft) => ({ ...draft, at: undefined }))], nextKey };
}

/** Finds the draft that was stored as this strategy, and removes it from the list. */
function takeMatchingDraft(added: EditedStrategy[], stored: Strategy): EditedStrategy | undefined {
  const at = added.findIndex((draft) => isStoredVersionOf(draft.submitted?.sent ?? trimValues(draft), stored));
  return at < 0 ? undefined : added.splice(at, 1)[0];
}

/** Returns the draft after a read of its stored strategy. */
function follow(draft: EditedStrategy, at: number, stored: Strategy): EditedStrategy {
  const { submitted, removed, base, now } = draft;
  if (submitted) {
    const isStored = submitted.sent !== undefined && isStoredVersionOf(submitted.sent, stored);
    return isStored ? { ...takeSaved(draft, at, stored), submitted } : { ...draft, at };
  }
  const isEdited = removed || (base !== undefined && isDirty(draft) && !jsonEqual(now, stored));
  return isEdited ? { ...draft, at } : toStored(draft, at, stored);
}

/** Returns the draft without edits, as stored. */
function toStored({ key, base, version }: EditedStrategy, at: number, stored: Strategy): EditedStrategy {
  const isSame = base !== undefined && isStoredVersionOf(base, stored);
  return { key, at, base: stored, now: stored, version: isSame ? version : version + 1 };
}

/** Returns the draft after a save: what was edited since the save started becomes an edit of the saved version. */
function takeSaved(draft: EditedStrategy, at: number, saved: Strategy): EditedStrategy {
  const { key, now, removed, submitted, version } = draft;
  if (!submitted || isUnchangedSince(draft, submitted)) return toStored(draft, at, saved);
  return { key, at, base: saved, now: removed ? saved : now, ...(removed && { removed }), version };
}

function isUnchangedSince({ now, removed }: EditedStrategy, submitted: Submission): boolean {
  return (removed === true) === (submitted.sent === undefined) && jsonEqual(now, submitted.now);
}

/** Marks drafts as being saved. */
export function startSave(state: StrategyDrafts, keys: readonly number[]): StrategyDrafts {
  const drafts = state.drafts.map((draft): EditedStrategy => {
    if (!keys.includes(draft.key)) return draft;
    return { ...draft, submitted: { now: draft.now, sent: draft.removed ? undefined : trimValues(draft) } };
  });
  return { ...state, drafts };
}

/** Marks drafts as saved: they take over the stored version. What was edited since the save started is kept, unsaved. */
export function markSaved(state: StrategyDrafts, keys: readonly number[], stored: readonly Strategy[]): StrategyDrafts {
  const rebased = rebase(state, stored);
  const drafts = rebased.drafts.flatMap((draft): EditedStrategy[] => {
    if (!keys.includes(draft.key)) return [draft];
    const { at, submitted, key, now, version } = draft;
    const saved = at === undefined ? undefined : stored[at];
    if (at !== undefined && saved) return [takeSaved(draft, at, saved)];
    // The strategy is not stored any more. An edit since then adds it again.
    if (!submitted || draft.removed || isUnchangedSince(draft, submitted)) return [];
    return [{ key, at: undefined, base: undefined, now, version }];
  });
  return { ...rebased, drafts };
}

/** Marks drafts as unsaved after a save that failed or was cancelled. */
export function markUnsaved(state: StrategyDrafts, keys: readonly number[]): StrategyDrafts {
  const drafts = state.drafts.flatMap((draft): EditedStrategy[] => {
    const { submitted, ...unsaved } = draft;
    if (!submitted || !keys.includes(draft.key)) return [draft];
    const stored = draft.at === undefined ? undefined : state.stored[draft.at];
    if (draft.at !== undefined && stored) return [follow(unsaved, draft.at, stored)];
    // A new strategy that was discarded during the save.
    return draft.removed || !isDirty(draft) ? [] : [unsaved];
  });
  return { ...state, drafts };
}

export function editDraft(state: StrategyDrafts, key: number, now: Strategy): StrategyDrafts {
  return { ...state, drafts: state.drafts.map((draft) => (draft.key === key ? { ...draft, now } : draft)) };
}

export function addDraft(state: StrategyDrafts, now: Strategy): StrategyDrafts {
  const draft: EditedStrategy = { key: state.nextKey, at: undefined, base: undefined, now, version: 0 };
  return { ...state, drafts: [...state.drafts, draft], nextKey: state.nextKey + 1 };
}

export function setFocus(state: StrategyDrafts, focus: StrategyFocus): StrategyDrafts {
  return { ...state, focus };
}

/** Ends a request for the focus, unless another one has replaced it. */
export function endFocus(state: StrategyDrafts, ended: StrategyFocus): StrategyDrafts {
  const { focus, ...others } = state;
  return focus === ended ? others : state;
}

/**
 * Discards drafts: they return to the stored version, and new ones are removed. While a draft is being saved, this is an edit
 * like any other, because it does not stop the save.
 */
export function discardDrafts(state: StrategyDrafts, keys: readonly number[]): StrategyDrafts {
  const drafts = state.drafts.flatMap((draft): EditedStrategy[] => {
    if (!keys.includes(draft.key)) return [draft];
    const { removed: _, ...kept } = draft;
    if (draft.submitted) return [draft.base ? { ...kept, now: draft.base } : { ...draft, removed: true }];
    const stored = draft.at === undefined ? undefined : state.stored[draft.at];
    return draft.at !== undefined && stored
      ? [{ ...toStored(draft, draft.at, stored), version: draft.version + 1 }]
      : [];
  });
  return { ...state, drafts };
}

/** Restores discarded edits of strategies that were not edited since. */
export function restoreDrafts(state: StrategyDrafts, discarded: readonly EditedStrategy[]): StrategyDrafts {
  const find = (drafts: readonly EditedStrategy[], key: number) => drafts.find((draft) => draft.key === key);
  const drafts = state.drafts.map((draft): EditedStrategy => {
    const edited = find(discarded, draft.key);
    if (!edited || isDirty(draft)) return draft;
    const { base = draft.base, now, removed } = edited;
    return { ...draft, base, now, ...(removed && { removed }) };
  });
  const isLost = ({ key, removed }: EditedStrategy) => !removed && !find(state.drafts, key);
  const lost = discarded.filter(isLost).map(({ submitted: _, ...draft }) => ({ ...draft, at: undefined }));
  return { ...state, drafts: [...drafts, ...lost] };
}

/**
 * Returns the stored version of an edited strategy, if it is not the one on which the edit is based: another user, or
 * another window, has changed it since. `theirs` is undefined if it was removed.
 */
export function getTheirVersion(
  { stored }: StrategyDrafts,
  draft: EditedStrategy,
): { base: Strategy; theirs: Strategy | undefined } | undefined {
  const { base, at } = draft;
  if (base === undefined || !isDirty(draft)) return undefined;
  const theirs = at === undefined ? undefined : stored[at];
  return theirs && jsonEqual(base, theirs) ? undefined : { base, theirs };
}

/** Bases drafts on the stored version without changing their content. A strategy that was removed becomes a new one. */
export function adoptStored(state: StrategyDrafts, keys: readonly number[]): StrategyDrafts {
  const drafts = state.drafts.map((draft): EditedStrategy => {
    if (!keys.includes(draft.key)) return draft;
    return { ...draft, base: draft.at === undefined ? undefined : state.stored[draft.at] };
  });
  return { ...state, drafts };
}

export function getDirtyKeys({ drafts }: StrategyDrafts): number[] {
  return drafts.filter(isDirty).map(({ key }) => key);
}

/** Returns the strategies to save: the base and edited versions of the given drafts, and all others as stored. */
export function toStrategyVersions(
  { stored, drafts }: StrategyDrafts,
  keys: readonly number[],
): { base: Strategy[]; mine: Strategy[] } {
  const saved = drafts.filter(({ key }) => keys.includes(key));
  const inPlace = (pick: (draft: EditedStrategy) => Strategy | undefined) =>
    stored.flatMap((strategy, at) => {
      const own = saved.find((one) => one.at === at);
      return own ? (pick(own) ?? []) : [strategy];
    });
  const unstored = saved.filter(({ at, removed }) => at === undefined && !removed);
  return {
    base: [...inPlace(({ base }) => base), ...unstored.flatMap(({ base }) => base ?? [])],
    mine: [...inPlace((draft) => (draft.removed ? undefined : trimValues(draft))), ...unstored.map(trimValues)],
  };
}

/** Returns the keys of the drafts in the order of the stored strategies, and of those that saving all drafts stores. */
export function getStoredKeys(drafts: readonly EditedStrategy[]): { saved: number[]; edited: number[] } {
  // New strategies are stored after the others.
  const order = ({ at = drafts.length }: EditedStrategy) => at;
  const inOrder = drafts.toSorted((one, other) => order(one) - order(other));
  return {
    saved: inOrder.filter(({ at }) => at !== undefined).map(({ key }) => key),
    edited: inOrder.filter(({ removed }) => !removed).map(({ key }) => key),
  };
}

export function removeAt<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, index) => index !== at);
}

/** Moves the item with this key before another one, or to the end. Returns undefined if one of them is not in the list. */
export function moveBefore<Item extends { readonly key: number }>(
  items: readonly Item[],
  key: number,
  beforeKey: number | undefined,
): Item[] | undefined {
  const moved = items.find((item) => item.key === key);
  const rest = items.filter((item) => item !== moved);
  const to = beforeKey === undefined ? rest.length : rest.findIndex((item) => item.key === beforeKey);
  return moved && to >= 0 ? [...rest.slice(0, to), moved, ...rest.slice(to)] : undefined;
}

/** Trims the values of parameters and edited constraints before they are sent. Constraints of `base` are kept as stored. */
function trimValues({ now, base }: Pick<EditedStrategy, 'now' | 'base'>): Strategy {
  const { parameters, constraints } = now;
  const trimConstraint = (constraint: Constraint) => {
    const isStored = base?.constraints?.some((stored) => jsonEqual(stored, constraint));
    return isStored || typeof constraint.value !== 'string'
      ? constraint
      : { ...constraint, value: constraint.value.trim() };
  };
  return {
    ...now,
    ...(parameters && {
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, trimValue(value)])),
    }),
    ...(constraints && { constraints: constraints.map(trimConstraint) }),
  };
}

/** Trims text. Values are text by contract; other types are sent back unchanged. */
function trimValue<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.trim() : value;
}
