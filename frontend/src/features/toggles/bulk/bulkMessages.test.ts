import { expect, test } from 'vitest';
import { describeFailures } from './bulkActions';

test.each([
  [1, 0, '1 toggle could not be changed back: t0 (No).'],
  [5, 2, '5 toggles could not be changed back: t0 (No), t1 (No), t2 (No), 2 more. 2 were not tried.'],
  [0, 4, '4 were not tried.'],
])('describes %i failures and %i toggles not tried', (count, left, expected) => {
  const failures = Array.from({ length: count }, (_, index) => ({
    name: `t${index}`,
    reason: 'No',
  }));
  expect(describeFailures(failures, left)).toBe(expected);
});
