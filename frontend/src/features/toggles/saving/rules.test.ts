import { describe, expect, test } from 'vitest';
import type { ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import {
  addStrategy,
  canAddStrategy,
  createToggleInput,
  getDefaultParameters,
  getStickinessOptions,
  type NewStrategy,
  omitDeprecated,
  renameToggle,
  toToggleBody,
  validateParameter,
  validateStrategy,
} from './rules';

function parameter(name: string, type: ParameterDefinition['type'] = 'string'): ParameterDefinition {
  return { name, type, description: '', required: false };
}

function definition(name: string, rest: Partial<StrategyDefinition> = {}): StrategyDefinition {
  return { name, editable: true, description: null, parameters: [], ...rest };
}

const flexibleRollout = definition('flexibleRollout', {
  parameters: [parameter('rollout', 'percentage'), parameter('stickiness'), parameter('groupId')],
});

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

  test('keeps the added strategies in order', () => {
    const form = addStrategy(addStrategy(createToggleInput('x.y'), flexibleRollout), definition('custom'));
    expect(toToggleBody(form, true).strategies.map(({ name }) => name)).toEqual(['flexibleRollout', 'custom']);
  });

  test('[S5-003] trims surrounding white space', () => {
    const form = { ...createToggleInput(' x y '), description: '  two words\n' };
    expect(toToggleBody(form, true)).toMatchObject({ name: 'xy', description: 'two words' });
  });

  test.each([
    ['', false],
    ['x', false],
    ['xy', true],
  ])('[S5-004] named "%s" can have strategies: %s', (name, expected) => {
    expect(canAddStrategy(createToggleInput(name))).toBe(expected);
  });
});

describe('renaming a toggle', () => {
  test('renames a rollout group that is named after the toggle', () => {
    const form = renameToggle(addStrategy(createToggleInput('old'), flexibleRollout), 'n ew');
    expect(form.strategies[0]?.parameters['groupId']).toBe('new');
  });

  test('keeps a typed rollout group', () => {
    const added = addStrategy(createToggleInput('old'), flexibleRollout);
    const typed = {
      ...added,
      strategies: added.strategies.map((strategy) => ({
        ...strategy,
        parameters: { ...strategy.parameters, groupId: 'mine' },
      })),
    };
    expect(renameToggle(typed, 'new').strategies[0]?.parameters['groupId']).toBe('mine');
  });
});

test('gives each strategy a unique key after adding and removing', () => {
  const two = addStrategy(addStrategy(createToggleInput('x.y'), definition('a')), definition('b'));
  const rest = { ...two, strategies: two.strategies.slice(1) };
  const keys = addStrategy(rest, definition('c')).strategies.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  ['percentage', '100'],
  ['rollout', '100'],
  ['stickiness', 'default'],
  ['groupId', 'my.toggle'],
  ['userIds', ''],
  ['toString', ''],
])('[S9-008] sets the parameter %s to "%s" by default', (name, expected) => {
  expect(getDefaultParameters([parameter(name)], 'my.toggle')).toEqual({ [name]: expected });
});

test('omits deprecated strategies', () => {
  const definitions = [definition('a', { deprecated: true }), definition('b', { deprecated: false }), definition('c')];
  expect(omitDeprecated(definitions).map(({ name }) => name)).toEqual(['b', 'c']);
});

test.each([
  ['number', '12', undefined],
  ['number', '-1.5', undefined],
  ['number', '', undefined],
  ['number', '1.', 'limit is not a number!'],
  ['number', '1e3', 'limit is not a number!'],
  ['number', 'ten', 'limit is not a number!'],
  ['string', 'ten', undefined],
] as const)('[S5-016] [S5-017] a %s of "%s"', (type, value, expected) => {
  expect(validateParameter(parameter('limit', type), value)).toBe(expected);
});

test('accepts a number with spaces around it, which are not sent', () => {
  const limit = parameter('limit', 'number');
  expect(['7 ', ' 7', ' '].map((value) => validateParameter(limit, value))).toEqual([undefined, undefined, undefined]);
  expect(validateParameter(limit, '7 8')).toBe('limit is not a number!');
});

test('rejects a strategy with one invalid number', () => {
  const limited = definition('limited', { parameters: [parameter('limit', 'number')] });
  const form = addStrategy(createToggleInput('x.y'), limited);
  const typed = form.strategies.map((strategy) => ({ ...strategy, parameters: { limit: 'ten' } }));
  const errors = (strategies: readonly NewStrategy[]) => strategies.map((one) => validateStrategy(one, [limited]));
  expect(errors(form.strategies)).toEqual([undefined]);
  expect(errors(typed)).toEqual(['limit is not a number!']);
});

test('[S9-009] lists sticky context fields once, after the built-in ones', () => {
  const field = (name: string, stickiness: boolean) => ({ name, stickiness, description: null, sortOrder: 0 });
  const fields = [field('userId', true), field('tenant', true), field('country', false)];
  expect(getStickinessOptions(fields)).toEqual(['default', 'userId', 'sessionId', 'random', 'tenant']);
});
