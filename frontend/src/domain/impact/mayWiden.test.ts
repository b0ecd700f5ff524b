import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
// The evaluation of the server passes the same cases: src/tests/evaluation/effects.rs.
import cases from './effectCases.json';
import { mayWiden } from './mayWiden';

const typed = cases as { name: string; effect: string; before: Strategy[]; after: Strategy[] }[];

test.each(typed)('$name: $effect', ({ effect, before, after }) => {
  expect(mayWiden(before, after)).toBe(effect === 'widens');
});
