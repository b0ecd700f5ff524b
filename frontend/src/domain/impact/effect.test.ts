import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { getEffect, type RatedToggle } from './effect';
// The evaluation of the server passes the same cases: src/tests/evaluation/effects.rs.
import cases from './effectCases.json';

/** A toggle, or the strategies of an enabled one. Null stands for a toggle that does not exist. */
type Side = RatedToggle | Strategy[] | null;
const typed = cases as unknown as { name: string; effect: string; before: Side; after: Side }[];

function toToggle(side: Side): RatedToggle | undefined {
  if (Array.isArray(side)) return { enabled: true, strategies: side };
  return side ?? undefined;
}

test.each(typed)('$name: $effect', ({ effect, before, after }) => {
  expect(getEffect(toToggle(before), toToggle(after))).toBe(effect);
});
