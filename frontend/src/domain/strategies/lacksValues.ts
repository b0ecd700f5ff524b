// A separate module, because the first page contains it.
import type { Constraint } from '@/api/generated/types';

/** Returns whether a constraint has no values, so that its result is always the same. Unknown operators may need none. */
export function lacksValues({ operator, values = [] }: Constraint): boolean {
  return ['IN', 'NOT_IN'].includes(operator) && Array.isArray(values) && values.length === 0;
}
