import { expect, test } from 'vitest';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { undoDiffs } from './toggleVersions';

test.each<[unknown, unknown]>([
  [{ on: true }, { on: false }],
  [
    { a: null, b: 0 },
    { a: '', b: false },
  ],
  [{}, { a: 0 }],
  [{ a: { b: '' } }, { a: {} }],
  [{ a: [1, { b: 1 }] }, { a: [1, { b: 2 }] }],
  [{ a: [1] }, { a: [1, 2, 3] }],
  [{ a: [1, 2, 3] }, { a: [] }],
])('restores %j from %j', (before, after) => {
  const diffs = jsonDiff(before, after);
  expect(undoDiffs(after, diffs)).toEqual(before);
  // Some servers report array diffs in reverse order.
  expect(undoDiffs(after, diffs.toReversed())).toEqual(before);
});

test('ignores a diff of a missing path', () => {
  expect(undoDiffs({ a: 1 }, [{ kind: 'E', path: ['b', 'c'], lhs: 1, rhs: 2 }])).toEqual({ a: 1 });
  expect(undoDiffs({ a: 1 }, [{ kind: 'E', path: [], lhs: 1, rhs: 2 }])).toEqual({ a: 1 });
  expect(undoDiffs(null, [{ kind: 'D', path: ['__proto__', 'x'], lhs: 1 }])).toBe(null);
});
