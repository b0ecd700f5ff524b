import { matchRoutes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { paths, toggleTabs } from './paths';
import { routes } from './routes';

const NAME = 'a/b %?#c';

const known = [paths.home(), paths.logout(), ...routes.map(({ path }) => path)].map((path) => ({ path }));

const addresses = {
  ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, path(NAME)])),
  ...Object.fromEntries(toggleTabs.map((tab) => [`toggle (${tab})`, paths.toggle(NAME, tab)])),
  ...Object.fromEntries(toggleTabs.map((tab) => [`archived toggle (${tab})`, paths.archivedToggle(NAME, tab)])),
};

test.each(Object.entries(addresses))('the address %s leads to a page', (_, address) => {
  const { pathname } = new URL(address, 'http://console.invalid');
  expect(matchRoutes(known, pathname)).toHaveLength(1);
});

test('a name survives the way through an address', () => {
  const [match] = matchRoutes(known, paths.toggle(NAME)) ?? [];
  expect(match?.params).toEqual({ activeTab: 'strategies', name: NAME });
});
