// Edits of unsaved strategies that limit the users who get the feature. Strategies are alternatives: adding one never
// limits the others. Pure functions; nothing is saved.

import type { Constraint, ContextField, Strategy } from '@/api/generated/types';
import { getUserIds } from '@/domain/strategies/audience';
import { getBuiltInList } from '@/domain/strategies/builtInStrategies';
import type { LintFix } from './lintToggle';
import { addDraft, type EditedStrategy, editDraft, type StrategyDrafts } from './strategyDrafts';

const USER_FIELD = 'userId';

/** Returns a constraint on users. Client libraries without constraints ignore it, so that a list of users is preferred. */
export function onlyUsers(values: string[]): Constraint {
  return { contextName: USER_FIELD, operator: 'IN', values };
}

/** Returns whether constraints on users can be edited. Servers without constraints have no context fields. */
export function canConstrainUsers(fields: readonly ContextField[] | undefined): boolean {
  return fields?.some(({ name }) => name === USER_FIELD) ?? false;
}

/** Returns the draft that a strategy takes the place of, if it replaces all: the same list, whose values stay, or the first. */
export function findReplaced(drafts: readonly EditedStrategy[], { name }: Strategy): EditedStrategy | undefined {
  const remaining = drafts.filter(({ removed }) => !removed);
  const list = getBuiltInList(name) && remaining.find(({ now }) => now.name === name);
  return list || remaining[0];
}

/** Replaces all strategies by one. */
export function replaceRules(state: StrategyDrafts, strategy: Strategy): StrategyDrafts {
  const replaced = findReplaced(state.drafts, strategy);
  if (!replaced) return addDraft(state, strategy);
  const isKept = getBuiltInList(strategy.name) !== undefined && replaced.now.name === strategy.name;
  return keepOnly(isKept ? state : editDraft(state, replaced.key, strategy), replaced.key);
}

/** Returns the state after a fix; `keys` are the keys of the strategies that the warnings are about. */
export function applyLintFix(state: StrategyDrafts, keys: readonly number[], fix: LintFix): StrategyDrafts {
  const keysAt = (indexes: readonly number[]) => indexes.flatMap((at) => keys[at] ?? []);
  switch (fix.kind) {
    case 'remove':
      return removeDrafts(state, keysAt(fix.strategies));
    case 'constrain':
      return keysAt([fix.strategy]).reduce(constrainToUsers, state);
    case 'keepOnly':
      return keysAt([fix.strategy]).reduce(keepOnly, state);
    case 'focus':
      return state;
  }
}

function getKey({ key }: EditedStrategy): number {
  return key;
}

function keepOnly(state: StrategyDrafts, key: number): StrategyDrafts {
  return removeDrafts(
    state,
    state.drafts.map(getKey).filter((other) => other !== key),
  );
}

/** Turns a list of users into a constraint of all other strategies. */
function constrainToUsers(state: StrategyDrafts, key: number): StrategyDrafts {
  const list = state.drafts.find((draft) => draft.key === key);
  const limit = onlyUsers(list ? getUserIds(list.now) : []);
  const drafts = state.drafts.map((draft): EditedStrategy => {
    if (draft.key === key || draft.removed) return draft;
    return { ...draft, now: { ...draft.now, constraints: [...(draft.now.constraints ?? []), limit] } };
  });
  return removeDrafts({ ...state, drafts }, [key]);
}

/**
 * Drops new strategies and marks those for removal that are stored or being saved. A new strategy that stays takes the place of a removed one,
 * so that saving its card saves both changes.
 */
function removeDrafts(state: StrategyDrafts, keys: readonly number[]): StrategyDrafts {
  const added = state.drafts.filter(
    ({ key, base, submitted }) => base === undefined && !submitted && !keys.includes(key),
  );
  const moved = new Set<number>();
  const edited = state.drafts.flatMap((draft): EditedStrategy[] => {
    if (!keys.includes(draft.key)) return [draft];
    if (draft.base === undefined || draft.at === undefined) return draft.submitted ? [{ ...draft, removed: true }] : [];
    const next = draft.removed || draft.submitted ? undefined : added.shift();
    if (!next) return [{ ...draft, now: draft.base, removed: true }];
    moved.add(next.key);
    return [{ ...draft, key: next.key, now: next.now }];
  });
  const drafts = edited.filter(({ key, base }) => base !== undefined || !moved.has(key));
  return { ...state, drafts };
}
