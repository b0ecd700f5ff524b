import { expect, test } from 'vitest';
import type { ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import {
  getDefaultParameters,
  getStickinessOptions,
  omitDeprecated,
  validateParameter,
  validateStrategy,
} from './rules';

function parameter(name: string, type: ParameterDefinition['type'] = 'string'): ParameterDefinition {
  return { name, type, description: '', required: false };
}

function definition(name: string, rest: Partial<StrategyDefinition> = {}): StrategyDefinition {
  return { name, editable: true, description: null, parameters: [], ...rest };
}

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
  const validate = (limit: string) => validateStrategy({ name: 'limited', parameters: { limit } }, [limited]);
  expect(validate('')).toBeUndefined();
  expect(validate('ten')).toBe('limit is not a number!');
});

test('[S9-009] lists sticky context fields once, after the built-in ones', () => {
  const field = (name: string, stickiness: boolean) => ({ name, stickiness, description: null, sortOrder: 0 });
  const fields = [field('userId', true), field('tenant', true), field('country', false)];
  expect(getStickinessOptions(fields)).toEqual(['default', 'userId', 'sessionId', 'random', 'tenant']);
});
