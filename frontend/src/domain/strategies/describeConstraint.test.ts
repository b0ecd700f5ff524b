import { expect, test } from 'vitest';
import type { Constraint } from '@/api/generated/types';
import { describeConstraint, describeMissingValues, getOperatorLabel } from './describeConstraint';

const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index + 1}`);

test.each([
  ['IN', 'is one of'],
  ['NOT_IN', 'is not one of'],
  ['STR_CONTAINS', 'contains one of'],
  ['SEMVER_GTE', 'is at least version'],
  ['GEO_WITHIN', 'GEO_WITHIN'],
])('labels the operator %s as "%s"', (operator, expected) => {
  expect(getOperatorLabel({ operator })).toBe(expected);
});

test.each([
  [{ operator: 'IN', values: ['7', '8'] }, 'userId is one of 7, 8'],
  [{ operator: 'NOT_IN', values: ['7', '7'] }, 'userId is not 7'],
  [{ operator: 'IN', values: users(17) }, 'userId is one of u1, u2, u3, u4, u5 and 12 more'],
  [{ operator: 'IN', values: [] }, 'userId is one of no values'],
  [{ operator: 'NOT_IN' }, 'userId is not one of no values'],
  [{ operator: 'IN', values: ['7'], inverted: true, caseInsensitive: false }, 'userId is not 7'],
  [{ operator: 'IN', values: ['7'] }, 'userId is 7'],
  [{ operator: 'NOT_IN', values: ['7'], inverted: true }, 'userId is 7'],
  [{ operator: 'STR_CONTAINS', values: ['a', 'b'], inverted: true }, 'userId contains none of a, b'],
  [{ operator: 'STR_CONTAINS', values: ['a'], inverted: true }, 'userId does not contain a'],
  [{ operator: 'NUM_GT', values: [], value: '18' }, 'userId is greater than 18'],
  [{ operator: 'NUM_GT', values: [], value: '18', inverted: true }, 'userId is not greater than 18'],
  [{ operator: 'STR_CONTAINS', values: ['a'], caseInsensitive: true }, 'userId contains a (ignoring case)'],
  [{ operator: 'DATE_AFTER', values: ['x'], value: '2026-01-31T12:00:00Z' }, 'userId is after 2026-01-31T12:00:00Z'],
  [{ operator: 'IN', values: ['7'], caseInsensitive: true }, 'userId is 7 (ignoring case has no effect)'],
  [{ operator: 'IN_CIDR', values: ['10.0.0.0/8'], inverted: true }, 'userId is not in the network 10.0.0.0/8'],
  [{ operator: 'IN', values: ['7'], value: '8' }, 'userId is 7 (value: 8)'],
  [{ operator: 'GEO', values: ['a'], value: 'b', inverted: true }, 'userId GEO a (value: b) (inverted: true)'],
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
  [{ operator: 'IN', inverted: true }, 'Without values, this constraint always matches.'],
  [{ operator: 'NOT_IN', inverted: true }, 'Without values, this constraint never matches.'],
  [{ operator: 'IN', values: ['7'] }, undefined],
  [{ operator: 'NUM_GT', values: [] }, undefined],
])('the result of %j without values is "%s"', (constraint, expected) => {
  expect(describeMissingValues({ contextName: 'userId', ...constraint } as Constraint)).toBe(expected);
});
