import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { applyChanges, type Changes, failureText } from './bulkWords';

const toggle = (name: string, enabled = true) => ({ name, enabled }) as Toggle;

test.each<[string, [string, Toggle | 'gone'][], string]>([
  ['nothing', [], 'a+ b+ c+'],
  ['one row', [['b', toggle('b', false)]], 'a+ b- c+'],
  ['a row that goes', [['b', 'gone']], 'a+ c+'],
  ['a row that comes', [['d', toggle('d', false)]], 'a+ b+ c+ d-'],
  ['a row that was gone before', [['d', 'gone']], 'a+ b+ c+'],
])('changing %s', (_, changes, expected) => {
  const after = applyChanges([toggle('a'), toggle('b'), toggle('c')], new Map(changes) satisfies Changes);
  expect(after.map(({ name, enabled }) => name + (enabled ? '+' : '-')).join(' ')).toBe(expected);
});

test.each([
  [1, 0, '1 toggle could not be changed back: t0 (No).'],
  [5, 2, '5 toggles could not be changed back: t0 (No), t1 (No), t2 (No), 2 more. 2 were not tried.'],
  [0, 4, '4 were not tried.'],
])('%i failures and %i left', (count, left, expected) => {
  const failures = Array.from({ length: count }, (_, index) => ({ toggle: toggle(`t${index}`), reason: 'No' }));
  expect(failureText(failures, left)).toBe(expected);
});
