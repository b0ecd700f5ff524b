import { expect, test } from 'vitest';
import type { Diff } from '@/api/generated/types';
import { omitServerDiffs, omitServerFields } from './serverFields';

const edited = (...path: Diff['path']): Diff => ({ kind: 'E', path, lhs: 1, rhs: 2 });

test('omits top-level fields that the server maintains, but not parameters of the same name', () => {
  const kept = [edited('stale'), edited(), edited('strategies', 0, 'parameters', 'createdAt')];
  const diffs = [edited('createdAt'), edited('updatedAt'), edited('lastSeenAt'), ...kept];
  expect(omitServerDiffs(diffs)).toEqual(kept);
  expect(omitServerFields({ name: 'a', createdAt: 1, updatedAt: 2, lastSeenAt: 3 })).toEqual({ name: 'a' });
});
