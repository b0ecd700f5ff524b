import { describe, expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { add, type Cards, dirtyKeys, discard, edit, follow, moved, settle, toCards, versions } from './cards';

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string): Strategy => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });

const shown = ({ cards }: Cards) => cards.map(({ now }) => now);

test('saving one card sends the others as stored', () => {
  const state = edit(edit(toCards([rollout('10'), users('ada')]), 0, rollout('20')), 1, users('ada,bob'));
  expect(versions(state, [0])).toEqual({
    base: [rollout('10'), users('ada')],
    mine: [rollout('20'), users('ada')],
  });
  const saved = settle(state, [0], [rollout('20'), users('ada')]);
  expect(shown(saved)).toEqual([rollout('20'), users('ada,bob')]);
  expect(dirtyKeys(saved)).toEqual([1]);
});

test.each([[[1, 2]], [[2, 1]]])('two new cards saved in the order %j end as exactly two', (order) => {
  const cards = [users('ada'), rollout('30')];
  let state = cards.reduce(add, toCards([always]));
  let stored: Strategy[] = [always];
  for (const key of order) {
    const { mine } = versions(state, [key]);
    stored = mine;
    // The list that the page reads may tell it before the save does.
    state = settle(follow(state, stored), [key], stored);
  }
  expect(dirtyKeys(state)).toEqual([]);
  expect(shown(state)).toEqual(stored);
  expect(stored).toHaveLength(3);
  expect(stored).toEqual(expect.arrayContaining(cards));
});

test('a new card keeps its key when it becomes a stored one, so that the focus stays in it', () => {
  const state = add(toCards([always]), users('ada '));
  const saved = settle(state, [1], [always, { ...users('ada'), id: '7' }]);
  expect(saved.cards.map(({ key }) => key)).toEqual([0, 1]);
  expect(dirtyKeys(saved)).toEqual([]);
});

describe('what others store meanwhile', () => {
  const editing = edit(toCards([rollout('10'), users('ada')]), 0, rollout('20'));

  test('is shown where nothing is edited', () => {
    const state = follow(editing, [rollout('10'), users('ada,bob'), always]);
    expect(shown(state)).toEqual([rollout('20'), users('ada,bob'), always]);
    expect(dirtyKeys(state)).toEqual([0]);
  });

  test('does not become the base of an edit that knew another', () => {
    const state = follow(editing, [rollout('30'), users('ada')]);
    expect(versions(state, [0])).toEqual({
      base: [rollout('10'), users('ada')],
      mine: [rollout('20'), users('ada')],
    });
  });

  test('leaves an edited card that was removed, and saving it tells that it was there', () => {
    const state = follow(editing, [users('ada')]);
    expect(shown(state)).toEqual([users('ada'), rollout('20')]);
    expect(versions(state, [0])).toEqual({ base: [users('ada'), rollout('10')], mine: [users('ada'), rollout('20')] });
    expect(shown(settle(state, [0], [users('ada')]))).toEqual([users('ada')]);
  });

  test('that is what was typed here makes the card clean', () => {
    expect(dirtyKeys(follow(editing, [rollout('20'), users('ada')]))).toEqual([]);
  });

  test('wins where it was chosen over the edit', () => {
    const state = settle(follow(editing, [rollout('30'), users('ada')]), [0], [rollout('30'), users('ada')]);
    expect(shown(state)).toEqual([rollout('30'), users('ada')]);
    expect(dirtyKeys(state)).toEqual([]);
  });
});

test('clearing drops edits and new cards', () => {
  const state = add(edit(toCards([rollout('10')]), 0, rollout('20')), always);
  expect(shown(discard(state, dirtyKeys(state)))).toEqual([rollout('10')]);
});

test('values are sent without white space around them, and whatever is no text as it is', () => {
  const odd = { name: 'own', parameters: { text: ' x ', number: 5 } } as unknown as Strategy;
  expect(versions(add(toCards([]), odd), [0]).mine).toEqual([{ name: 'own', parameters: { text: 'x', number: 5 } }]);
});

test.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 1, ['a', 'b', 'c']],
])('moving %d to %d', (from, to, expected) => {
  expect(moved(['a', 'b', 'c'], from, to)).toEqual(expected);
});
