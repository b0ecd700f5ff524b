// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useToggleList } from '@/api/toggles';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { applyBulkPatches, type BulkPatches } from './startBulkAction';

type Patch = BulkPatches extends ReadonlyMap<string, infer Value> ? Value : never;

const server = installFakeServer();
cleanPageAfterEach();

test.each<[string, [string, Patch][], string]>([
  ['nothing', [], 'a+ b+ c+'],
  ['a changed field', [['b', { enabled: false }]], 'a+ b- c+'],
  ['a removed toggle', [['b', 'removed']], 'a+ c+'],
  ['a revived toggle', [['d', { revived: createToggle({ name: 'd', enabled: false }) }]], 'a+ b+ c+ d-'],
  ['the removal of an unknown toggle', [['d', 'removed']], 'a+ b+ c+'],
])('patches the list with %s', async (_, patches, expected) => {
  const toggles = ['a', 'b', 'c'].map((name) => createToggle({ name }));
  server().on('GET api/admin/features', { body: { version: 1, features: toggles } });
  const { result } = renderHook(() => useToggleList().data?.features);
  await settle();
  act(() => applyBulkPatches(new Map(patches)));
  expect(result.current?.map(({ name, enabled }) => name + (enabled ? '+' : '-')).join(' ')).toBe(expected);
});
