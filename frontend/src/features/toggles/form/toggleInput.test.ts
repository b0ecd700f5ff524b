import { describe, expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { addDraft, editDraft } from '@/features/toggles/activation/strategyDrafts';
import {
  canAddStrategy,
  copyToggleInput,
  createToggleInput,
  renameToggle,
  setReplaceGroupId,
  type ToggleInput,
  toCopyBody,
  toToggleBody,
} from './toggleInput';

const rollout = (groupId: string) => ({ name: 'flexibleRollout', parameters: { rollout: '25', groupId } });
const custom = { name: 'custom', parameters: {} };

/** Returns the input with these strategies, as the editor adds them. */
function add(input: ToggleInput, ...strategies: Toggle['strategies']): ToggleInput {
  return { ...input, strategies: strategies.reduce(addDraft, input.strategies) };
}

const groups = (input: ToggleInput) => input.strategies.drafts.map(({ now }) => now.parameters?.['groupId']);

describe('a new toggle', () => {
  test('[S9-013] is a release, enabled, not stale, without variants', () => {
    expect(toToggleBody(createToggleInput('x.y'), true)).toMatchObject({
      type: 'release',
      enabled: true,
      stale: false,
      variants: [],
    });
  });

  test('[S4-008] gets the default strategy if none was added', () => {
    expect(toToggleBody(createToggleInput('x.y'), true).strategies).toEqual([{ name: 'default', parameters: {} }]);
  });

  test('has no strategies if none was added and the server allows that', () => {
    expect(toToggleBody(createToggleInput('x.y'), false).strategies).toEqual([]);
  });

  test('keeps the added strategies with their constraints in order', () => {
    const limited = { ...rollout('x.y'), constraints: [{ contextName: 'country', operator: 'IN', values: ['NO'] }] };
    expect(toToggleBody(add(createToggleInput('x.y'), limited, custom), true).strategies).toEqual([limited, custom]);
  });

  test('[S5-003] trims surrounding white space', () => {
    const input = { ...createToggleInput(' x y '), description: '  two words\n' };
    expect(toToggleBody(input, true)).toMatchObject({ name: 'xy', description: 'two words' });
    const padded = { name: 'custom', parameters: { limit: ' 7 ' } };
    expect(toToggleBody(add(input, padded), true).strategies[0]?.parameters).toEqual({ limit: '7' });
  });

  test.each([
    ['', false],
    ['x', false],
    ['xy', true],
  ])('[S5-004] named "%s" can have strategies: %s', (name, expected) => {
    expect(canAddStrategy(createToggleInput(name))).toBe(expected);
  });

  test('renames the rollout groups that are named after it, and keeps typed ones', () => {
    const input = add(createToggleInput('old'), rollout('old'), rollout('mine'));
    expect(groups(renameToggle(input, 'n ew'))).toEqual(['new', 'mine']);
  });
});

describe('a copy', () => {
  const source = {
    name: 'shop.basket',
    description: null,
    type: 'release',
    project: 'mobile',
    enabled: false,
    stale: true,
    strategies: [{ ...rollout('shop.basket'), id: 's1' }, { ...rollout('shared') }, { ...rollout('') }, custom],
    variants: [{ name: 'green', weight: 1000 }],
    createdAt: '2026-01-05T10:00:00.000Z',
    lastSeenAt: null,
    impressionData: true,
  } as unknown as Toggle;
  const named = (name = 'new.name') => renameToggle(copyToggleInput(source), name, source);

  test('has the fields of the original, without its name and the ids of its strategies', () => {
    const { name, strategies, ...body } = toCopyBody(named(), source);
    const { name: _, createdAt, lastSeenAt, strategies: stored, ...rest } = source;
    expect(name).toBe('new.name');
    expect(body).toEqual(rest);
    expect(strategies.map((one) => [one.name, one.id])).toEqual(stored.map((one) => [one.name, undefined]));
  });

  test('has what was edited', () => {
    const input = { ...named(), description: 'Large', enabled: true };
    const edited = { ...input, strategies: editDraft(input.strategies, 1, custom) };
    const body = toCopyBody(edited, source);
    expect(body).toMatchObject({ description: 'Large', enabled: true, stale: true });
    expect(body.strategies.map(({ name }) => name)).toEqual(['flexibleRollout', 'custom', 'flexibleRollout', 'custom']);
  });

  test('[S2-045] names its rollout groups after itself, or keeps those of the original', () => {
    expect(copyToggleInput(source).replaceGroupId).toBe(true);
    expect(groups(named())).toEqual(['new.name', 'new.name', '', undefined]);
    expect(groups(renameToggle(named(), 'newer', source))).toEqual(['newer', 'newer', '', undefined]);
    const kept = setReplaceGroupId(named(), false, source);
    expect(groups(kept)).toEqual(['shop.basket', 'shared', '', undefined]);
    expect(groups(renameToggle(kept, 'newer', source))).toEqual(['shop.basket', 'shared', '', undefined]);
    expect(groups(setReplaceGroupId(kept, true, source))).toEqual(['new.name', 'new.name', '', undefined]);
  });

  test('keeps a typed group when it is renamed', () => {
    const input = named();
    const typed = { ...input, strategies: editDraft(input.strategies, 0, rollout('mine')) };
    expect(groups(renameToggle(typed, 'newer', source))[0]).toBe('mine');
  });
});
