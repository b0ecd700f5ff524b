import { expect, test } from 'vitest';
import type { Constraint } from '@/api/generated/types';
import { describeConstraint, describeMissingValues, getOperatorLabel } from './describeConstraint';

const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index + 1}`);

test.each([
  ['IN', 'is one of'],
  ['NOT_IN', 'is not one of'],
  ['STR_CONTAINS', 'STR_CONTAINS'],
])('labels the operator %s as "%s"', (operator, expected) => {
  expect(getOperatorLabel(operator)).toBe(expected);
});

test.each([
  [{ operator: 'IN', values: ['7', '8'] }, 'userId is one of 7, 8'],
  [{ operator: 'NOT_IN', values: ['7', '7'] }, 'userId is not one of 7'],
  [{ operator: 'IN', values: users(17) }, 'userId is one of u1, u2, u3, u4, u5 and 12 more'],
  [{ operator: 'IN', values: [] }, 'userId is one of (no values)'],
  [{ operator: 'NOT_IN' }, 'userId is not one of (no values)'],
  [{ operator: 'IN', values: ['7'], inverted: true, caseInsensitive: false }, 'userId is one of 7 (inverted: true)'],
  [{ operator: 'NUM_GT', values: [], value: '18' }, 'userId NUM_GT (value: 18)'],
  [{ operator: 'IN', values: { from: 1 } }, 'userId is one of (values: {"from":1})'],
])('describes %j as "%s"', (constraint, expected) => {
  expect(describeConstraint({ contextName: 'userId', ...constraint } as Constraint, 5)).toBe(expected);
});

test('describes all values on request', () => {
  const constraint: Constraint = { contextName: 'userId', operator: 'IN', values: users(6) };
  expect(describeConstraint(constraint, Number.POSITIVE_INFINITY)).toBe('userId is one of u1, u2, u3, u4, u5, u6');
});

test.each([
  [{ operator: 'IN', values: [] }, 'Without values, this constraint never matches.'],
  [{ operator: 'NOT_IN' }, 'Without values, this constraint always matches.'],
  [{ operator: 'IN', values: ['7'] }, undefined],
  [{ operator: 'NUM_GT', values: [] }, undefined],
])('the result of %j without values is "%s"', (constraint, expected) => {
  expect(describeMissingValues({ contextName: 'userId', ...constraint } as Constraint)).toBe(expected);
});
