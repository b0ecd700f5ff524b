import { expect, test } from 'vitest';
import type { Constraint } from '@/api/generated/types';
import { changeOperator, getReadOnlyReason, validateConstraint } from './constraints';
import { BASIC_OPERATORS, OPERATORS_OF } from './operators';

const ALL_OPERATORS = OPERATORS_OF.withNetworks;

const constraint = (operator: string, more: Partial<Constraint> = {}): Constraint => ({
  contextName: 'field',
  operator,
  values: [],
  ...more,
});

test.each<[Constraint, string | undefined]>([
  [constraint('IN'), 'Add a value, or remove the constraint.'],
  [constraint('STR_CONTAINS'), 'Add a value, or remove the constraint.'],
  [constraint('STR_CONTAINS', { values: ['a'] }), undefined],
  [constraint('NUM_GT', { values: ['ignored'] }), 'Enter a value, or remove the constraint.'],
  [constraint('NUM_GT', { value: '1.5' }), undefined],
  [constraint('NUM_LTE', { value: 'many' }), 'Enter a number.'],
  [constraint('DATE_AFTER', { value: '2026-01-31T12:00:00Z' }), undefined],
  [constraint('DATE_BEFORE', { value: 'soon' }), 'Enter a date with time and time zone, such as 2026-12-31T12:00:00Z.'],
  [
    constraint('DATE_BEFORE', { value: '2026-12-31T12:00:00' }),
    'Enter a date with time and time zone, such as 2026-12-31T12:00:00Z.',
  ],
  [constraint('SEMVER_GTE', { value: '1.2.3-beta.1' }), undefined],
  [constraint('SEMVER_EQ', { value: '1.2' }), 'Enter a version, such as 1.2.3.'],
  [constraint('REGEX', { value: '^a' }), undefined],
  [constraint('IN_CIDR'), 'Add a value, or remove the constraint.'],
  [constraint('IN_CIDR', { values: ['10.0.0.0/8', '::1', 'fe80::/10'] }), undefined],
  [constraint('IN_CIDR', { values: ['::1', 'host'] }), 'host is not an IP address or a network, such as 10.0.0.0/8.'],
  [constraint('GEO_WITHIN'), undefined],
])('validates %j: %s', (one, expected) => {
  expect(validateConstraint(one)).toBe(expected);
});

test.each(ALL_OPERATORS)('edits %s on a server that evaluates it, and keeps it unchanged on others', (operator) => {
  expect(getReadOnlyReason(constraint(operator), ALL_OPERATORS)).toBeUndefined();
  const isBasic = BASIC_OPERATORS.includes(operator);
  expect(getReadOnlyReason(constraint(operator), BASIC_OPERATORS) === undefined).toBe(isBasic);
});

test.each<Partial<Constraint>>([{ inverted: true }, { caseInsensitive: true }, { value: 'gold' }])(
  'keeps IN with %j unchanged on servers that cannot edit it',
  (more) => {
    const reason = 'This constraint can be changed by import only.';
    expect(getReadOnlyReason(constraint('IN', more), BASIC_OPERATORS)).toBe(reason);
    expect(getReadOnlyReason(constraint('IN', more), ALL_OPERATORS)).toBeUndefined();
  },
);

test.each<[Constraint, string, Constraint]>([
  [constraint('IN', { values: ['1', '2'] }), 'NUM_GT', constraint('NUM_GT', { value: '1' })],
  [constraint('NUM_GT', { value: '1' }), 'NOT_IN', constraint('NOT_IN', { values: ['1'] })],
  [
    constraint('NUM_GT', { value: '1', inverted: true }),
    'NUM_LT',
    constraint('NUM_LT', { value: '1', inverted: true }),
  ],
  [constraint('STR_CONTAINS', { values: ['a'], caseInsensitive: true }), 'IN', constraint('IN', { values: ['a'] })],
])('changes the operator of %j to %s', (before, operator, expected) => {
  expect(changeOperator(before, operator)).toEqual(expected);
});
