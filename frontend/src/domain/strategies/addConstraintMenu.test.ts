import { expect, test } from 'vitest';
import type { ContextField } from '@/api/generated/types';
import { listFieldChoices } from './AddConstraintMenu';

const field = (name: string, ...legalValues: string[]): ContextField => ({
  name,
  description: `The ${name}.`,
  sortOrder: 1,
  stickiness: false,
  legalValues,
});
const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
const fields = [field('region', 'Nordics', 'Benelux'), field('userId'), field('store', ...numbers)];

/** Each field, with parentheses if only its values match, and its values. */
const choices = (filter: string, ...used: string[]) =>
  listFieldChoices(fields, used, filter).map(({ field: { name }, isChoice, values, hidden }) => {
    const more = hidden > 0 ? [`${hidden} more`] : [];
    return [isChoice ? name : `(${name})`, ...values, ...more].join(' ');
  });

test.each<[string, string[], string[]]>([
  ['', [], ['region Nordics Benelux', 'userId', `store ${numbers.slice(0, 12).join(' ')} 8 more`]],
  // Fields with a constraint are last, without values.
  ['', ['region', 'store'], ['userId', 'region', 'store']],
  ['nord', [], ['(region) Nordics']],
  ['nord', ['region'], []],
  [' REG ', [], ['region Nordics Benelux']],
  ['the user', [], ['userId']],
  ['20', [], ['(store) 20']],
  // Fields and values that begin with the text of the filter come first.
  ['us', [], ['userId']],
  ['s', [], [`store ${numbers.slice(0, 12).join(' ')} 8 more`, '(region) Nordics', 'userId']],
  ['n', [], ['(region) Nordics']],
])('the filter "%s" with constraints on %j finds %j', (filter, used, expected) => {
  expect(choices(filter, ...used)).toEqual(expected);
});
