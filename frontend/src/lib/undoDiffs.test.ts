import { expect, test } from 'vitest';
import { jsonDiff } from './jsonDiff';
import { undoDiffs } from './undoDiffs';

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
])('%j is found again from %j', (before, after) => {
  const diffs = jsonDiff(before, after);
  expect(undoDiffs(after, diffs)).toEqual(before);
  // Some servers tell the ends of lists from behind.
  expect(undoDiffs(after, diffs.toReversed())).toEqual(before);
});

test('a change at a place that is not there is left out', () => {
  expect(undoDiffs({ a: 1 }, [{ kind: 'E', path: ['b', 'c'], lhs: 1, rhs: 2 }])).toEqual({ a: 1 });
  expect(undoDiffs({ a: 1 }, [{ kind: 'E', path: [], lhs: 1, rhs: 2 }])).toEqual({ a: 1 });
  expect(undoDiffs(null, [{ kind: 'D', path: ['__proto__', 'x'], lhs: 1 }])).toBe(null);
});
