// Edits of a toggle's strategies: the stored versions, the drafts, and the versions to save.
import type { Constraint, Strategy } from '@/api/generated/types';
import { isStoredVersionOf, matchStrategies } from '@/domain/strategies/matchStrategies';
import { jsonEqual } from '@/lib/json';

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
}

export interface StrategyDrafts {
  readonly stored: readonly Strategy[];
  readonly drafts: readonly EditedStrategy[];
  readonly nextKey: number;
}

export function createDrafts(stored: readonly Strategy[]): StrategyDrafts {
  const drafts = stored.map((strategy, at): EditedStrategy => ({ key: at, at, base: strategy, now: strategy }));
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
    if (known?.removed || (known?.base && isDirty(known) && !jsonEqual(known.now, strategy))) return { ...known, at };
    if (!known) nextKey += 1;
    return { key: known?.key ?? nextKey - 1, at, base: strategy, now: strategy };
  });
  const keys = new Set(kept.map(({ key }) => key));
  const left = state.drafts.filter((draft) => isDirty(draft) && !draft.removed && !keys.has(draft.key));
  return { stored, drafts: [...kept, ...left.map((draft) => ({ ...draft, at: undefined }))], nextKey };
}

/** Finds the draft that was stored as this strategy, and removes it from the list. */
function takeMatchingDraft(added: EditedStrategy[], stored: Strategy): EditedStrategy | undefined {
  const at = added.findIndex((draft) => isStoredVersionOf(trimValues(draft), stored));
  return at < 0 ? undefined : added.splice(at, 1)[0];
}

/** Marks drafts as saved: they take over the stored version. */
export function markSaved(state: StrategyDrafts, keys: readonly number[], stored: readonly Strategy[]): StrategyDrafts {
  const rebased = rebase(state, stored);
  const isSaved = ({ key }: EditedStrategy) => keys.includes(key);
  const drafts = rebased.drafts
    .filter((draft) => !isSaved(draft) || draft.at !== undefined)
    .map((draft): EditedStrategy => {
      const saved = draft.at === undefined || !isSaved(draft) ? undefined : stored[draft.at];
      return saved ? { key: draft.key, at: draft.at, base: saved, now: saved } : draft;
    });
  return { ...rebased, drafts };
}

export function editDraft(state: StrategyDrafts, key: number, now: Strategy): StrategyDrafts {
  return { ...state, drafts: state.drafts.map((draft) => (draft.key === key ? { ...draft, now } : draft)) };
}

export function addDraft(state: StrategyDrafts, now: Strategy): StrategyDrafts {
  const draft: EditedStrategy = { key: state.nextKey, at: undefined, base: undefined, now };
  return { ...state, drafts: [...state.drafts, draft], nextKey: state.nextKey + 1 };
}

/** Discards drafts: they return to the stored version, and new ones are removed. */
export function discardDrafts(state: StrategyDrafts, keys: readonly number[]): StrategyDrafts {
  return markSaved(state, keys, state.stored);
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
  const unstored = saved.filter(({ at }) => at === undefined);
  return {
    base: [...inPlace(({ base }) => base), ...unstored.flatMap(({ base }) => base ?? [])],
    mine: [...inPlace((draft) => (draft.removed ? undefined : trimValues(draft))), ...unstored.map(trimValues)],
  };
}

/** Returns the index of each draft in the stored strategies, and in those that saving all drafts stores. */
export function getStrategyIndexes(drafts: readonly EditedStrategy[]): { saved?: number; edited?: number }[] {
  // New strategies are stored after the others.
  const order = ({ at = drafts.length }: EditedStrategy) => at;
  const remaining = drafts.filter(({ removed }) => !removed).sort((one, other) => order(one) - order(other));
  return drafts.map((draft) => ({
    ...(draft.at !== undefined && { saved: draft.at }),
    ...(!draft.removed && { edited: remaining.indexOf(draft) }),
  }));
}

export function removeAt<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, index) => index !== at);
}

export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = removeAt(list, from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
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
