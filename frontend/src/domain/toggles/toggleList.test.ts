import { describe, expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { getMatcher } from '@/lib/searchPattern';
import { createToggle } from '@/testing/flagService';
import {
  allProjects,
  chooseSort,
  filterToggles,
  getCounts,
  resolveProject,
  type SortOrder,
  sortByName,
  sortDirection,
  sortToggles,
  type ToggleSort,
} from './toggleList';

const toggle = (name: string, rest: Partial<Toggle> = {}) => createToggle({ name, ...rest });

const names = (toggles: readonly Toggle[]) => toggles.map(({ name }) => name).join(' ');

describe('order', () => {
  const toggles = sortByName([
    toggle('d', { enabled: false, createdAt: '2026-03-01T00:00:00Z', lastSeenAt: '2026-11-01T10:00:00Z' }),
    toggle('B', { type: 'experiment', stale: true, strategies: [{ name: 'x' }, { name: 'y' }] }),
    toggle('a', { enabled: false, type: 'operational', createdAt: '2026-02-01T00:00:00.000Z' }),
    toggle('c', { stale: true, lastSeenAt: '2026-11-01T12:00:00.000+01:00', strategies: [] }),
  ]);
  const counts = { B: { yes: 0, no: 0 }, d: { yes: 7, no: 90 }, constructor: { yes: 99, no: 0 } };

  test.each<[ToggleSort, string]>([
    ['name', 'a B c d'],
    ['type', 'B a c d'],
    ['enabled', 'B c a d'],
    ['stale', 'B c a d'],
    ['created', 'd a B c'],
    ['lastSeen', 'c d a B'],
    ['strategies', 'B a d c'],
    ['metrics', 'd B a c'],
  ])('[S2-035] by %s: %s', (sort, expected) => {
    expect(names(sortToggles(toggles, { sort, reversed: false }, counts))).toBe(expected);
  });

  test.each<[ToggleSort, string]>([
    ['name', 'd c B a'],
    ['type', 'c d a B'],
    // Ties stay in name order.
    ['enabled', 'a d B c'],
    ['lastSeen', 'a B d c'],
    ['metrics', 'a c B d'],
  ])('reversed, by %s: %s', (sort, expected) => {
    expect(names(sortToggles(toggles, { sort, reversed: true }, counts))).toBe(expected);
  });

  test.each<[SortOrder, string, SortOrder, 'asc' | 'desc']>([
    [{ sort: 'name', reversed: false }, 'name', { sort: 'name', reversed: true }, 'desc'],
    [{ sort: 'name', reversed: true }, 'name', { sort: 'name', reversed: false }, 'asc'],
    [{ sort: 'name', reversed: true }, 'created', { sort: 'created', reversed: false }, 'desc'],
    [{ sort: 'created', reversed: false }, 'created', { sort: 'created', reversed: true }, 'asc'],
    [{ sort: 'created', reversed: true }, 'color', { sort: 'name', reversed: false }, 'asc'],
  ])('changes %o to the key %s: %o', (current, key, expected, direction) => {
    expect(chooseSort(current, key)).toEqual(expected);
    expect(sortDirection(expected)).toBe(direction);
  });

  test('sorts names that differ only by case in a stable order', () => {
    expect(names(sortByName([toggle('a'), toggle('A')]))).toBe(names(sortByName([toggle('A'), toggle('a')])));
  });
});

test('returns no counts for a toggle named like a built-in property', () => {
  expect(getCounts({}, 'constructor')).toBeUndefined();
});

describe('filter', () => {
  const toggles = [
    toggle('checkout.pay', { description: 'One tap' }),
    toggle('search', { strategies: [{ name: 'byRegion' }] }),
    toggle('login', { project: 'web', strategies: [{ name: 'default', parameters: { hosts: 'north-1' } }] }),
  ];

  async function found(text: string, project = allProjects) {
    return names(filterToggles(toggles, { text, project, matches: await getMatcher(text) }));
  }

  test.each([
    ['the name', 'CHECK', 'checkout.pay'],
    ['the description', 'one t', 'checkout.pay'],
    ['a strategy name', 'byreg', 'search'],
    ['the serialised toggle', 'north-1', 'login'],
    ['its keys too, from two characters on', 'pr', 'checkout.pay search login'],
    ['fields only, with one character', 'k', 'checkout.pay'],
    ['each field from its start', '^se', 'search'],
    ['a pattern without repetition', 'l.gin|search', 'search login'],
    ['a pattern with groups', '^(log|sea)\\w+$', 'search login'],
    ['everything, when the pattern is invalid', 'pay[', 'checkout.pay search login'],
    ['everything, when the repetition is invalid', '*pay', 'checkout.pay search login'],
    ['text, when the pattern has a look-ahead, which is not supported', '(?=pay)', ''],
    ['text, when the pattern has a back-reference', '(e)\\1', ''],
    ['nothing', 'no such text', ''],
  ])('[S5-007] [S5-008] matches %s: %s', async (_, text, expected) => {
    expect(await found(text)).toBe(expected);
  });

  test('filters by project', async () => {
    expect(await found('', 'web')).toBe('login');
  });

  test('finishes a pattern with catastrophic backtracking', async () => {
    const matches = await getMatcher('(a+)+$');
    expect(matches(`${'a'.repeat(50_000)}!`)).toBe(false);
  });

  test('returns the same matcher for the same pattern', async () => {
    const first = getMatcher('x+');
    expect(getMatcher('x+')).toBe(first);
    const matcher = await first;
    expect(getMatcher('x+')).toBe(matcher);
  });
});

test.each([
  ['an existing project', 'web', [{ id: 'default' }, { id: 'web' }], 'web'],
  ['a removed project', 'gone', [{ id: 'default' }, { id: 'web' }], allProjects],
  ['the only project', 'default', [{ id: 'default' }], allProjects],
])('resolves a project: %s', (_, chosen, projects, expected) => {
  expect(resolveProject(chosen, projects)).toBe(expected);
});
