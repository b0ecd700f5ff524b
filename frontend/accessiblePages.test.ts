// The tests of accessibility visit each route of the console.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from './e2e/support/pages';

test('each route of the console is tested with axe', () => {
  const source = readFileSync(join(import.meta.dirname, 'src/routes.tsx'), 'utf8');
  const routes = [...source.matchAll(/^ {4}path: '(.+)',$/gm)].map(([, route = '']) => route);
  const visited = Object.values(PAGES)
    .flat()
    .map(({ path }) => `/${path.split(/[?#]/)[0]}`);
  const isVisited = (route: string) =>
    visited.some((url) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(url));
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((route) => !isVisited(route))).toEqual([]);
});
