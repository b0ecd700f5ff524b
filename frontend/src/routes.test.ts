import { matchRoutes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { applicationTabs, paths, strategyTabs, toggleTabs } from './paths';
import { routes } from './routes';

const NAME = 'a/b %?#c';

const patterns = [paths.home(), paths.logout(), ...routes.map(({ path }) => path)].map((path) => ({ path }));

const { editAddon, editSegment, application, event, toggleEvent, loggedEvent, ...named } = paths;

const addresses = {
  ...Object.fromEntries(Object.entries(named).map(([name, path]) => [name, path(NAME)])),
  editAddon: editAddon(1),
  editSegment: editSegment(1),
  event: event(1),
  toggleEvent: toggleEvent(NAME, 1),
  loggedEvent: loggedEvent(NAME, 1),
  ...Object.fromEntries(toggleTabs.map((tab) => [`toggle (${tab})`, paths.toggle(NAME, tab)])),
  ...Object.fromEntries(toggleTabs.map((tab) => [`archived toggle (${tab})`, paths.archivedToggle(NAME, tab)])),
  ...Object.fromEntries(applicationTabs.map((tab) => [`application (${tab})`, application(NAME, tab)])),
  ...Object.fromEntries(strategyTabs.map((tab) => [`strategy (${tab})`, paths.strategy(NAME, tab)])),
};

test.each(Object.entries(addresses))('the path %s matches a route', (_name, address) => {
  const { pathname } = new URL(address, 'http://console.invalid');
  expect(matchRoutes(patterns, pathname) ?? []).toHaveLength(1);
});

test('a name with special characters can be read back from its path', () => {
  const [match] = matchRoutes(patterns, paths.toggle(NAME)) ?? [];
  expect(match?.params).toEqual({ activeTab: 'strategies', name: NAME });
});
