import { describe, expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { applyLintFix, findReplaced, replaceRules } from './limitAudience';
import {
  addDraft,
  createDrafts,
  discardDrafts,
  getDirtyKeys,
  markSaved,
  rebase,
  type StrategyDrafts,
  toStrategyVersions,
} from './strategyDrafts';

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string): Strategy => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });
const limitedTo = (...values: string[]) => ({
  constraints: [{ contextName: 'userId', operator: 'IN' as const, values }],
});
const inDev = { constraints: [{ contextName: 'environment', operator: 'IN' as const, values: ['dev'] }] };

const drafts = (...stored: Strategy[]) => createDrafts(stored);
const saved = (state: StrategyDrafts) => toStrategyVersions(state, getDirtyKeys(state)).mine;
const shown = (state: StrategyDrafts) => state.drafts.map(({ now, removed }) => (removed ? `−${now.name}` : now.name));

describe('replacing the rules', () => {
  test.each<[string, StrategyDrafts, Strategy, Strategy[]]>([
    ['takes the place of one', drafts(always), rollout('25'), [rollout('25')]],
    ['removes all others', drafts(users('ada'), always, always), rollout('25'), [rollout('25')]],
    ['replaces unsaved strategies', addDraft(drafts(always), rollout('5')), rollout('25'), [rollout('25')]],
    ['keeps the values of a list', drafts(rollout('25'), users('ada')), users(''), [users('ada')]],
    ['keeps the values of an unsaved list', addDraft(drafts(always), users('ada')), users(''), [users('ada')]],
    ['starts a rollout again', drafts(always, rollout('5')), rollout('100'), [rollout('100')]],
    ['adds the strategy if there is none', drafts(), users(''), [users('')]],
  ])('%s', (_, state, strategy, expected) => {
    expect(saved(replaceRules(state, strategy))).toEqual(expected);
    const replaced = findReplaced(state.drafts, strategy)?.key;
    const left = replaceRules(state, strategy).drafts.find(({ removed }) => !removed);
    expect([undefined, left?.key]).toContain(replaced);
  });

  test('can be discarded', () => {
    const state = replaceRules(drafts(always, always), rollout('25'));
    expect(shown(state)).toEqual(['flexibleRollout', '−default']);
    expect(shown(discardDrafts(state, getDirtyKeys(state)))).toEqual(['default', 'default']);
  });

  test('is complete after a save, also if the list is read before the save completes', () => {
    const state = replaceRules(drafts(always, always), rollout('25'));
    const stored = [{ ...rollout('25'), id: '7' }];
    const after = markSaved(rebase(state, stored), getDirtyKeys(state), stored);
    expect(after.drafts).toMatchObject([{ key: 0, at: 0, base: stored[0], now: stored[0] }]);
  });
});

describe('fixes of warnings', () => {
  const fix = (state: StrategyDrafts, change: object) =>
    applyLintFix(
      state,
      state.drafts.map(({ key }) => key),
      { label: '', ...change } as Parameters<typeof applyLintFix>[2],
    );

  test('remove a stored strategy when they are saved', () => {
    const state = fix(drafts(always, rollout('25')), { kind: 'remove', strategies: [0] });
    expect(shown(state)).toEqual(['−default', 'flexibleRollout']);
    expect(saved(state)).toEqual([rollout('25')]);
    expect(getDirtyKeys(state)).toEqual([0]);
    expect(getDirtyKeys(markSaved(state, [0], [rollout('25')]))).toEqual([]);
  });

  test('move an unsaved strategy to the place of the removed one, so that one save is enough', () => {
    const state = fix(addDraft(drafts(always), rollout('25')), { kind: 'remove', strategies: [0] });
    expect(state.drafts).toMatchObject([{ key: 1, at: 0, base: always, now: rollout('25') }]);
  });

  test('turn a list of users into a constraint of the other strategies', () => {
    const state = fix(drafts({ ...rollout('25'), ...inDev }, always, users('ada,bob')), {
      kind: 'constrain',
      strategy: 2,
    });
    const limit = limitedTo('ada', 'bob').constraints;
    expect(saved(state)).toEqual([
      { ...rollout('25'), constraints: [...inDev.constraints, ...limit] },
      { ...always, constraints: limit },
    ]);
  });

  test('keep only one strategy', () => {
    const state = addDraft(drafts(rollout('25'), always), users('ada'));
    expect(saved(fix(state, { kind: 'keepOnly', strategy: 2 }))).toEqual([users('ada')]);
  });

  test('do not change anything to move the focus', () => {
    const state = drafts(rollout('0'));
    expect(fix(state, { kind: 'focus', strategy: 0, parameter: 'rollout' })).toBe(state);
  });

  test('a removal stays when another strategy changes, and ends when the strategy is removed by others', () => {
    const state = fix(drafts(always, rollout('25')), { kind: 'remove', strategies: [0] });
    expect(shown(rebase(state, [always, rollout('30')]))).toEqual(['−default', 'flexibleRollout']);
    expect(shown(rebase(state, [rollout('25')]))).toEqual(['flexibleRollout']);
  });
});
