// Edits of unsaved strategies that limit the users who get the feature. Strategies are alternatives: adding one never
// limits the others. Pure functions; nothing is saved.

import type { Constraint, ContextField, Strategy, StrategyDefinition } from '@/api/generated/types';
import { getUserIds, isUnlimitedDefault } from '@/domain/strategies/audience';
import { getDefaultParameters } from '../saving/rules';
import type { LintFix } from './lintToggle';
import { addDraft, type EditedStrategy, editDraft, type StrategyDrafts } from './strategyDrafts';

const USER_FIELD = 'userId';

function onlyUsers(values: string[]): Constraint {
  return { contextName: USER_FIELD, operator: 'IN', values };
}

/** Returns whether constraints on users can be edited. Servers without constraints have no context fields. */
export function canConstrainUsers(fields: readonly ContextField[] | undefined): boolean {
  return fields?.some(({ name }) => name === USER_FIELD) ?? false;
}

/**
 * Returns a strategy that is on for listed users only, or undefined if the server has none. A list is preferred to a
 * constraint: client libraries without constraints ignore them, and would turn the toggle on for everyone.
 */
export function newUserLimit(
  definitions: readonly StrategyDefinition[],
  fields: readonly ContextField[] | undefined,
  toggleName: string,
): Strategy | undefined {
  const find = (name: string) => definitions.find((one) => one.name === name && !one.deprecated);
  const list = find('userWithId');
  if (list) return { name: list.name, parameters: getDefaultParameters(list.parameters, toggleName) };
  if (!find('default') || !canConstrainUsers(fields)) return undefined;
  return { name: 'default', parameters: {}, constraints: [onlyUsers([])] };
}

/** Adds a strategy in place of the `default` strategies without constraints, next to which it would have no effect. */
export function replaceDefault(state: StrategyDrafts, strategy: Strategy): StrategyDrafts {
  const [first, ...others] = state.drafts
    .filter((draft) => !draft.removed && isUnlimitedDefault(draft.now))
    .map(getKey);
  return first === undefined ? addDraft(state, strategy) : removeDrafts(editDraft(state, first, strategy), others);
}

/** Replaces all strategies by one that lists users. An existing list is kept. */
export function limitToUsers(state: StrategyDrafts, limit: Strategy): StrategyDrafts {
  const remaining = state.drafts.filter(({ removed }) => !removed);
  const list = remaining.find(({ now }) => now.name === limit.name && limit.constraints === undefined);
  if (list) return keepOnly(state, list.key);
  const [first] = remaining;
  return first ? keepOnly(editDraft(state, first.key, limit), first.key) : addDraft(state, limit);
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
