import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { applyBulkPatches, type BulkPatches } from './bulkPatches';

const toggle = (name: string, enabled = true) => ({ name, enabled }) as Toggle;

test.each<[string, [string, Toggle | 'removed'][], string]>([
  ['nothing', [], 'a+ b+ c+'],
  ['a changed toggle', [['b', toggle('b', false)]], 'a+ b- c+'],
  ['a removed toggle', [['b', 'removed']], 'a+ c+'],
  ['a new toggle', [['d', toggle('d', false)]], 'a+ b+ c+ d-'],
  ['the removal of an unknown toggle', [['d', 'removed']], 'a+ b+ c+'],
])('patches the list with %s', (_, patches, expected) => {
  const after = applyBulkPatches([toggle('a'), toggle('b'), toggle('c')], new Map(patches) satisfies BulkPatches);
  expect(after.map(({ name, enabled }) => name + (enabled ? '+' : '-')).join(' ')).toBe(expected);
});
