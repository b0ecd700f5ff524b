import { expect, test } from 'vitest';
import type { Diff } from '@/api/generated/types';
import { jsonDiff } from './jsonDiff';

test.each<[string, unknown, unknown, Diff[]]>([
  ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ['an edit to false', { on: true }, { on: false }, [{ kind: 'E', path: ['on'], lhs: true, rhs: false }]],
  ['an edit from null to empty', { a: null }, { a: '' }, [{ kind: 'E', path: ['a'], lhs: null, rhs: '' }]],
  ['another kind of value', { a: [] }, { a: {} }, [{ kind: 'E', path: ['a'], lhs: [], rhs: {} }]],
  ['a new key', {}, { a: 0 }, [{ kind: 'N', path: ['a'], rhs: 0 }]],
  ['a key that is gone', { a: { b: '' } }, { a: {} }, [{ kind: 'D', path: ['a', 'b'], lhs: '' }]],
  ['a key without a value counts as absent', { a: undefined }, {}, []],
  ['an edit deep inside', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, [{ kind: 'E', path: ['a', 0, 'b'], lhs: 1, rhs: 2 }]],
  ['a longer list', { a: [1] }, { a: [1, 2] }, [{ kind: 'A', path: ['a'], index: 1, item: { kind: 'N', rhs: 2 } }]],
  ['a shorter list', { a: [1, 2] }, { a: [1] }, [{ kind: 'A', path: ['a'], index: 1, item: { kind: 'D', lhs: 2 } }]],
])('reports %s', (_, before, after, expected) => {
  expect(jsonDiff(before, after)).toEqual(expected);
});
