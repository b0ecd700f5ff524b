import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import {
  intersectNames,
  matchesFacets,
  noFacets,
  parseFacets,
  parseTagParam,
  type ToggleFacets,
  writeFacets,
} from './toggleFacets';

const given: ToggleFacets = { state: 'on', status: 'stale', type: 'release', tags: ['simple:a', 'team:b:c/d'] };

test.each<[string, ToggleFacets]>([
  ['', noFacets],
  ['state=on&status=stale&type=release&tag=simple%3Aa&tag=team%3Ab%3Ac%2Fd', given],
  ['state=maybe&status=&tag=nocolon&tag=:x&tag=x:', noFacets],
  ['tag=simple:a&tag=simple:a', { ...noFacets, tags: ['simple:a'] }],
])('parses the facets of "?%s"', (query, expected) => {
  expect(parseFacets(new URLSearchParams(query))).toEqual(expected);
});

test('writes and reads facets without changing other parameters', () => {
  const written = writeFacets(new URLSearchParams('filter=x&tag=old:one&state=off'), given);
  expect(parseFacets(written)).toEqual(given);
  expect(written.get('filter')).toBe('x');
  expect(writeFacets(written, noFacets).toString()).toBe('filter=x');
});

test('splits a tag at its first colon', () => {
  expect(parseTagParam('team:a:b')).toEqual({ type: 'team', value: 'a:b' });
});

const toggle = { name: 'a', enabled: true, stale: false, type: 'release' } as Toggle;

test.each<[Partial<ToggleFacets>, string[] | undefined, boolean]>([
  [{}, undefined, true],
  [{ state: 'on' }, undefined, true],
  [{ state: 'off' }, undefined, false],
  [{ status: 'active' }, undefined, true],
  [{ status: 'stale' }, undefined, false],
  [{ type: 'release' }, undefined, true],
  [{ type: 'experiment' }, undefined, false],
  [{ state: 'on', type: 'experiment' }, undefined, false],
  [{}, ['a', 'b'], true],
  [{}, ['b'], false],
  [{}, [], false],
])('matches %o with the tagged toggles %o', (facets, tagged, expected) => {
  expect(matchesFacets({ ...noFacets, ...facets }, tagged && new Set(tagged), toggle)).toBe(expected);
});

test('intersects the names of all lists', () => {
  const list = (...names: string[]) => names.map((name) => ({ name }));
  expect(intersectNames([])).toBeUndefined();
  expect(intersectNames([list('a', 'b')])).toEqual(new Set(['a', 'b']));
  expect(intersectNames([list('a', 'b'), list('b', 'c')])).toEqual(new Set(['b']));
});
