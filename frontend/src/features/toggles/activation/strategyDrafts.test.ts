import { describe, expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import {
  addDraft,
  createDrafts,
  discardDrafts,
  editDraft,
  getDirtyKeys,
  getStoredKeys,
  markSaved,
  markUnsaved,
  moveBefore,
  rebase,
  restoreDrafts,
  type StrategyDrafts,
  startSave,
  toStrategyVersions,
} from './strategyDrafts';

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string): Strategy => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });

const shown = ({ drafts }: StrategyDrafts) => drafts.map(({ now }) => now);

test('saving one draft sends the others as stored', () => {
  const state = editDraft(
    editDraft(createDrafts([rollout('10'), users('ada')]), 0, rollout('20')),
    1,
    users('ada,bob'),
  );
  expect(toStrategyVersions(state, [0])).toEqual({
    base: [rollout('10'), users('ada')],
    mine: [rollout('20'), users('ada')],
  });
  const saved = markSaved(state, [0], [rollout('20'), users('ada')]);
  expect(shown(saved)).toEqual([rollout('20'), users('ada,bob')]);
  expect(getDirtyKeys(saved)).toEqual([1]);
});

test.each([[[1, 2]], [[2, 1]]])('two new drafts saved in the order %j are stored once each', (order) => {
  const drafts = [users('ada'), rollout('30')];
  let state = drafts.reduce(addDraft, createDrafts([always]));
  let stored: Strategy[] = [always];
  for (const key of order) {
    const { mine } = toStrategyVersions(state, [key]);
    stored = mine;
    // The list may be read before the save completes.
    state = markSaved(rebase(state, stored), [key], stored);
  }
  expect(getDirtyKeys(state)).toEqual([]);
  expect(shown(state)).toEqual(stored);
  expect(stored).toHaveLength(3);
  expect(stored).toEqual(expect.arrayContaining(drafts));
});

test('a new draft keeps its key when it is stored, so that it keeps focus', () => {
  const state = addDraft(createDrafts([always]), users('ada '));
  const saved = markSaved(state, [1], [always, { ...users('ada'), id: '7' }]);
  expect(saved.drafts.map(({ key }) => key)).toEqual([0, 1]);
  expect(getDirtyKeys(saved)).toEqual([]);
});

describe('rebasing on changes by others', () => {
  const editing = editDraft(createDrafts([rollout('10'), users('ada')]), 0, rollout('20'));

  test('shows changes of unedited strategies', () => {
    const state = rebase(editing, [rollout('10'), users('ada,bob'), always]);
    expect(shown(state)).toEqual([rollout('20'), users('ada,bob'), always]);
    expect(getDirtyKeys(state)).toEqual([0]);
  });

  test('keeps the base of an edited strategy', () => {
    const state = rebase(editing, [rollout('30'), users('ada')]);
    expect(toStrategyVersions(state, [0])).toEqual({
      base: [rollout('10'), users('ada')],
      mine: [rollout('20'), users('ada')],
    });
  });

  test('keeps an edited draft whose strategy was removed, with its base', () => {
    const state = rebase(editing, [users('ada')]);
    expect(shown(state)).toEqual([users('ada'), rollout('20')]);
    expect(toStrategyVersions(state, [0])).toEqual({
      base: [users('ada'), rollout('10')],
      mine: [users('ada'), rollout('20')],
    });
    expect(shown(markSaved(state, [0], [users('ada')]))).toEqual([users('ada')]);
  });

  test('marks a draft as clean if it equals the stored version', () => {
    expect(getDirtyKeys(rebase(editing, [rollout('20'), users('ada')]))).toEqual([]);
  });

  test('takes over the stored version after it was chosen in a conflict', () => {
    const state = markSaved(rebase(editing, [rollout('30'), users('ada')]), [0], [rollout('30'), users('ada')]);
    expect(shown(state)).toEqual([rollout('30'), users('ada')]);
    expect(getDirtyKeys(state)).toEqual([]);
  });
});

test('discarding drops edits and new drafts', () => {
  const state = addDraft(editDraft(createDrafts([rollout('10')]), 0, rollout('20')), always);
  expect(shown(discardDrafts(state, getDirtyKeys(state)))).toEqual([rollout('10')]);
});

test('discarded edits are restored, also of new strategies and of removals', () => {
  const created = createDrafts([rollout('10'), users('ada')]);
  const removed = created.drafts.map((draft) => (draft.key === 1 ? { ...draft, removed: true as const } : draft));
  const edited = addDraft(editDraft({ ...created, drafts: removed }, 0, rollout('20')), always);
  const discarded = discardDrafts(edited, getDirtyKeys(edited));
  expect(getDirtyKeys(discarded)).toEqual([]);
  const restored = restoreDrafts(discarded, edited.drafts);
  expect(toStrategyVersions(restored, getDirtyKeys(restored))).toEqual(
    toStrategyVersions(edited, getDirtyKeys(edited)),
  );
  // A change of another user in between is a conflict, as before.
  const read = restoreDrafts(rebase(discarded, [rollout('15'), users('ada')]), edited.drafts);
  expect(toStrategyVersions(read, [0])).toEqual({
    base: [rollout('10'), users('ada')],
    mine: [rollout('20'), users('ada')],
  });
});

test('trims text values and keeps other values unchanged', () => {
  const odd = { name: 'own', parameters: { text: ' x ', number: 5 } } as unknown as Strategy;
  expect(toStrategyVersions(addDraft(createDrafts([]), odd), [0]).mine).toEqual([
    { name: 'own', parameters: { text: 'x', number: 5 } },
  ]);
});

test('trims the values of edited constraints and keeps stored constraints unchanged', () => {
  const constraint = (value: string) => ({ contextName: 'userId', operator: 'NUM_GT' as const, values: [], value });
  const base: Strategy = { ...always, constraints: [constraint(' 1 ')] };
  const edited = editDraft(createDrafts([base]), 0, { ...base, constraints: [constraint(' 1 '), constraint(' 2 ')] });
  expect(toStrategyVersions(edited, [0]).mine).toEqual([
    { ...base, constraints: [constraint(' 1 '), constraint('2')] },
  ]);
});

test.each([
  [0, undefined, [1, 2, 0]],
  [2, 0, [2, 0, 1]],
  [1, 2, [0, 1, 2]],
  [0, 7, undefined],
  [7, 0, undefined],
])('moves item %d before %s', (key, beforeKey, expected) => {
  const items = [{ key: 0 }, { key: 1 }, { key: 2 }];
  expect(moveBefore(items, key, beforeKey)?.map((item) => item.key)).toEqual(expected);
});

describe('during a save', () => {
  const saving = startSave(editDraft(createDrafts([rollout('10'), always]), 0, rollout('20')), [0]);
  const finish = (state: StrategyDrafts, stored: Strategy[]) => markSaved(state, [0], stored);

  test.each([
    ['the response', (state: StrategyDrafts) => state],
    [
      'a read of the stored version, and the response',
      (state: StrategyDrafts) => rebase(state, [rollout('20'), always]),
    ],
    [
      'a read that another user has changed, and the response',
      (state: StrategyDrafts) => rebase(state, [always, rollout('20'), users('ada')]),
    ],
  ])('an edit is kept as an edit of the saved version after %s', (_, read) => {
    const saved = finish(read(editDraft(saving, 0, rollout('30'))), [rollout('20'), always]);
    expect(shown(saved)).toEqual([rollout('30'), always]);
    expect(toStrategyVersions(saved, getDirtyKeys(saved))).toEqual({
      base: [rollout('20'), always],
      mine: [rollout('30'), always],
    });
  });

  test('discarding does not stop the save, and is therefore an edit of the saved version', () => {
    const discarded = discardDrafts(saving, [0]);
    expect(getDirtyKeys(discarded)).toEqual([]);
    const saved = finish(discarded, [rollout('20'), always]);
    expect(shown(saved)).toEqual([rollout('10'), always]);
    expect(getDirtyKeys(saved)).toEqual([0]);
    expect(markUnsaved(discarded, [0])).toEqual(createDrafts([rollout('10'), always]));
  });

  test('discarding a new strategy removes the saved one with the next save', () => {
    const added = addDraft(createDrafts([always]), users('ada'));
    const discarded = discardDrafts(startSave(added, [1]), [1]);
    const saved = markSaved(rebase(discarded, [always, users('ada')]), [1], [always, users('ada')]);
    expect(toStrategyVersions(saved, getDirtyKeys(saved))).toEqual({ base: [always, users('ada')], mine: [always] });
    expect(shown(markUnsaved(discarded, [1]))).toEqual([always]);
  });

  test('a new strategy that is edited after it was stored is not stored twice', () => {
    const edited = editDraft(startSave(addDraft(createDrafts([always]), users('ada')), [1]), 1, users('ada,bob'));
    for (const end of [
      markSaved(rebase(edited, [always, users('ada')]), [1], [always, users('ada')]),
      markSaved(edited, [1], [always, users('ada')]),
      // The response is lost.
      markUnsaved(rebase(edited, [always, users('ada')]), [1]),
    ])
      expect(toStrategyVersions(end, getDirtyKeys(end))).toEqual({
        base: [always, users('ada')],
        mine: [always, users('ada,bob')],
      });
  });

  test('keeping a strategy that the save removes adds it again', () => {
    const state = createDrafts([always, users('ada')]);
    const removing = startSave(
      { ...state, drafts: state.drafts.map((draft) => (draft.key === 1 ? { ...draft, removed: true } : draft)) },
      [1],
    );
    const saved = markSaved(discardDrafts(removing, [1]), [1], [always]);
    expect(toStrategyVersions(saved, getDirtyKeys(saved))).toEqual({ base: [always], mine: [always, users('ada')] });
    expect(shown(markSaved(removing, [1], [always]))).toEqual([always]);
  });

  test('a failure follows what was read meanwhile', () => {
    const read = rebase(discardDrafts(saving, [0]), [rollout('40'), always]);
    expect(shown(markUnsaved(read, [0]))).toEqual([rollout('40'), always]);
    expect(shown(markUnsaved(rebase(saving, [rollout('40'), always]), [0]))).toEqual([rollout('20'), always]);
  });
});

test('finds each draft in the stored strategies and in those that a save stores', () => {
  const edited = addDraft(
    editDraft(createDrafts([rollout('10'), users('ada'), always]), 1, users('bob')),
    rollout('20'),
  );
  const drafts = edited.drafts.map((draft, index) => (index === 0 ? { ...draft, removed: true as const } : draft));
  // During a move, the drafts are in the new order, and a save still uses the stored one.
  const moved = moveBefore(drafts, 1, 3) ?? [];
  const { mine } = toStrategyVersions({ ...edited, drafts: moved }, [0, 1, 3]);
  const keys = getStoredKeys(moved);
  expect(keys.saved).toEqual([0, 1, 2]);
  const draftOf = (key: number) => moved.find((draft) => draft.key === key);
  expect(keys.edited.map((key) => draftOf(key)?.now)).toEqual(mine);
});
